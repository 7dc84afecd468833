import { z } from 'zod';
import type { Schema } from './json-schema.ts';

export type Flag = {
  flag: string;
  /** Placeholder for the value in help texts, such as `n` or `a,b`. A flag without a placeholder takes no value. */
  value?: string;
  meaning: string;
  choices?: readonly string[];
  default?: string | undefined;
  example?: string;
  required?: boolean;
};

export type RequestFlag = Flag & {
  value: string;
  place: 'query' | 'body';
  path: readonly string[];
  kind: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'time' | 'json';
  nullable: boolean;
  isOptionalPart?: true;
};

type Root = Schema & { $defs?: Record<string, Schema> };

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

/** Restores the description, examples and default, which Zod leaves out if a schema has a transformation. */
const withWords: Override = ({ zodSchema, jsonSchema }) => {
  const { description, examples, default: named } = z.globalRegistry.get(zodSchema) ?? {};
  const { defaultValue } = zodSchema._zod.def as { defaultValue?: unknown };
  const standard = named ?? defaultValue;
  if (description !== undefined) jsonSchema.description = description;
  if (examples !== undefined) jsonSchema.examples = examples as unknown[];
  if (standard !== undefined) jsonSchema.default = standard as typeof jsonSchema.default;
};

export const readSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: withWords }) as Root;
  /** If a schema has alternatives, only the first is used, because the others are `null` or resemble the first. */
  const resolve = (given: Schema): Schema => {
    const { $ref, anyOf, oneOf, ...own } = given;
    if ($ref) return { ...resolve(root.$defs?.[$ref.replace('#/$defs/', '')] ?? {}), ...own };
    const [value] = anyOf ?? oneOf ?? [];
    return value ? { ...resolve(value), ...own } : own;
  };
  return { root: resolve(root), resolve };
};

export const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const typesOf = ({ type }: Schema): string[] => [type ?? []].flat();

const isNullable = (given: Schema): boolean =>
  [given, ...(given.anyOf ?? [])].some((one) => typesOf(one).includes('null'));

const kindOf = (field: Schema, resolve: (given: Schema) => Schema): RequestFlag['kind'] => {
  if (field.format === 'date-time') return 'time';
  if (field.items && resolve(field.items).properties) return 'json';
  return (typesOf(field).find((type) => type !== 'null') ?? 'string') as RequestFlag['kind'];
};

const VALUES: Record<RequestFlag['kind'], string> = {
  string: 'text',
  integer: 'n',
  number: 'n',
  boolean: 'true|false',
  array: 'a,b',
  time: 'time',
  json: 'json',
};

const TIMES = 'A date (2027-01-31), a time (2027-01-31T12:00Z), or a duration from now (90d)';

const bounds = ({ minimum, maximum, maxLength, description = '' }: Schema): string | undefined => {
  if (description.includes(String(maxLength ?? maximum))) return undefined;
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) {
    return `From ${minimum} to ${maximum}`;
  }
  if (minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER) return `At least ${minimum}`;
  return maxLength === undefined ? undefined : `At most ${maxLength} characters`;
};

export const sentences = (...parts: (string | undefined)[]): string =>
  parts
    .filter((part) => part !== undefined && part !== '')
    .map((part) => (/[.!?]$/.test(part as string) ? part : `${part}.`))
    .join(' ');

const shown = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

const wordsOf = (field: Schema, kind: RequestFlag['kind'], resolve: (given: Schema) => Schema) => {
  const choices = (field.enum ?? (field.items && resolve(field.items).enum)) as readonly string[] | undefined;
  const [example] = field.examples ?? [];
  const extent = choices || kind === 'time' ? undefined : bounds(field);
  return {
    value: VALUES[kind],
    meaning: sentences(field.description, kind === 'time' ? TIMES : extent),
    ...(choices ? { choices } : {}),
    ...(field.default === undefined ? {} : { default: shown(field.default) }),
    ...(example === undefined ? {} : { example: shown(example) }),
  };
};

export const flagsOf = (place: RequestFlag['place'], schema: z.ZodType): RequestFlag[] => {
  const { root, resolve } = readSchema(schema, 'input');
  const flagsIn = (fields: Schema, path: readonly string[]): RequestFlag[] =>
    Object.entries(fields.properties ?? {}).flatMap(([name, given]): RequestFlag[] => {
      const field = resolve(given);
      if (field.properties) return flagsIn(field, [...path, name]);
      const isNeeded = fields.required?.includes(name) ?? false;
      const required = path.length === 0 && isNeeded;
      const part = path.length > 0 && !isNeeded ? { isOptionalPart: true as const } : {};
      const [kind, nullable] = [kindOf(field, resolve), isNullable(given)];
      const words = wordsOf(field, kind, resolve);
      return [{ flag: kebab(name), place, path: [...path, name], kind, nullable, required, ...part, ...words }];
    });
  return flagsIn(root, []);
};
