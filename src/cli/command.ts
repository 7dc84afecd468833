import { z } from 'zod';
import { CONTRACTS } from '../contract.ts';
import type { Contract } from '../kernel/contract.ts';
import { jsonInteger, parseJsonForOutput } from '../kernel/json.ts';
import { PAGE_PARAMETERS } from '../kernel/page.ts';

/** A value a command takes: where it goes in the request, and how its text is read. */
export type CommandOption = {
  flag: string;
  place: 'query' | 'body';
  path: readonly string[];
  kind: string;
  nullable: boolean;
  required: boolean;
};

/** Every operation but those whose answer has no end: for them there is `curl -N`. */
export const COMMANDS: ReadonlyMap<string, Contract> = new Map(
  CONTRACTS.filter(({ stream }) => !stream).map((contract) => [contract.command, contract]),
);

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  $ref?: string;
  anyOf?: Schema[];
};
type Root = Schema & { $defs?: Record<string, Schema> };

/** The flags of an object: one per field, and the fields of an object inside it stand beside its own. */
const describe = (place: CommandOption['place'], schema: z.ZodType): CommandOption[] => {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Root;
  const resolve = (given: Schema): Schema => {
    const named = given.$ref ? (root.$defs?.[given.$ref.replace('#/$defs/', '')] ?? {}) : given;
    return named.anyOf?.[0] ?? named;
  };
  const optionsOf = (fields: Schema, path: readonly string[]): CommandOption[] =>
    Object.entries(fields.properties ?? {}).flatMap(([name, given]): CommandOption[] => {
      const field = resolve(given);
      if (field.properties) return optionsOf(field, [...path, name]);
      const required = path.length === 0 && (fields.required?.includes(name) ?? false);
      const nullable = given.anyOf?.some(({ type }) => type === 'null') ?? false;
      const isListOfObjects = field.items !== undefined && resolve(field.items).properties !== undefined;
      const kind = isListOfObjects ? 'json' : (field.type ?? 'string');
      return [{ flag: kebab(name), place, path: [...path, name], kind, nullable, required }];
    });
  return optionsOf(resolve(root), []);
};

/** Everything a command can be told, from the contract of its operation. */
export const commandOptions = ({ input, paged }: Contract): CommandOption[] => [
  ...describe('query', z.object({ ...input.query, ...(paged ? PAGE_PARAMETERS : {}) })),
  ...(input.body ? describe('body', input.body) : []),
];

const parseIfJson = (text: string): unknown => {
  try {
    return parseJsonForOutput(text);
  } catch {
    return text;
  }
};

/** The text of a flag as the JSON value it stands for; what is none is left for the service to refuse. */
export const toJsonValue = ({ kind, nullable }: Pick<CommandOption, 'kind' | 'nullable'>, text: string): unknown => {
  if (nullable && text === 'null') return null;
  if (kind === 'integer') return /^-?\d+$/.test(text) ? jsonInteger(BigInt(text)) : text;
  if (kind === 'json') return parseIfJson(text);
  if (kind === 'array') return text.split(',').map((item) => item.trim());
  return text;
};
