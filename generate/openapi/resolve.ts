import type { Schema } from '../../cli/args/json-schema.ts';

type Reference = { $ref: string };

export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };

type Example = { value?: unknown };
type Media = { schema: Schema; example?: unknown; examples?: Readonly<Record<string, Example | Reference>> };
type Header = { description?: string; schema: Schema };

export type ResponseObject = {
  description: string;
  headers?: Readonly<Record<string, Header | Reference>>;
  content?: Readonly<Record<string, Media>>;
};

export type OperationObject = {
  summary: string;
  description: string;
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Readonly<Record<string, Media>> };
  responses: Readonly<Record<string, ResponseObject | Reference>>;
};

export type OpenapiDocument = {
  info: { title: string; version: string; description: string };
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  webhooks: Readonly<Record<string, { post: OperationObject }>>;
  components: { schemas: Readonly<Record<string, Schema>> };
};

export type Resolve = <Value extends object>(value: Value | Reference) => Value;

const joinObjects = (one: Schema, other: Schema): Schema => {
  const names = Object.keys({ ...one.properties, ...other.properties });
  const joined = names.map((name) => [name, { ...one.properties?.[name], ...other.properties?.[name] }]);
  return {
    ...one,
    ...other,
    properties: Object.fromEntries(joined),
    required: [...(one.required ?? []), ...(other.required ?? [])],
  };
};

export const createResolve = (document: object): Resolve => {
  const find = (path: string): object => {
    const names = path.slice('#/'.length).split('/');
    const found = names.reduce<unknown>(
      (value, name) => (value as Record<string, unknown>)[name.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
    if (typeof found !== 'object' || found === null)
      throw new Error(`the document refers to ${path}, which does not exist`);
    return found;
  };
  const resolve = <Value extends object>(value: Value | Reference): Value => {
    if ('$ref' in value && typeof value.$ref === 'string') {
      const { $ref, ...siblings } = value;
      return { ...resolve(find($ref) as Value), ...siblings };
    }
    if (!('allOf' in value)) return value as Value;
    const { allOf = [], examples, ...words } = value as Schema;
    const { examples: _, ...whole } = allOf.map((part) => resolve<Schema>(part)).reduce(joinObjects, {});
    return { ...whole, ...words, ...(examples && { examples }) } as Value;
  };
  return resolve;
};

export const schemaName = ({ $ref }: Schema): string | undefined => $ref?.slice($ref.lastIndexOf('/') + 1);

export const alternativesOf = (schema: Schema): readonly Schema[] => schema.oneOf ?? schema.anyOf ?? [schema];
