import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../../cli/args/json-schema.ts';
import { alternativesOf, createResolve, type OperationObject, type Resolve, type ResponseObject } from './resolve.ts';

const BY_FORMAT: Record<string, unknown> = { 'date-time': '2026-11-16T12:00:00.000Z', uri: 'https://example.org/hook' };
const BY_TYPE: Record<string, unknown> = { integer: 1, number: 1, boolean: true, string: 'text', null: null };

const listed = (schema: Schema): unknown =>
  schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.[0] ?? BY_FORMAT[schema.format ?? ''];

export const exampleOf = (given: Schema, resolve: Resolve): unknown => {
  const schema = resolve<Schema>(given);
  const own = listed(schema);
  if (own !== undefined) return own;
  const [first = schema] = alternativesOf(schema);
  if (first !== schema) return exampleOf(first, resolve);
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, exampleOf(property, resolve)]),
    );
  }
  if (schema.items) return [exampleOf(schema.items, resolve)];
  const [type = 'string'] = [schema.type ?? []].flat();
  return BY_TYPE[type] ?? {};
};

type Content = NonNullable<ResponseObject['content']>;

export const contentExample = (content: Content, resolve: Resolve): { type: string; value: unknown } | undefined => {
  const [entry] = Object.entries(content);
  if (!entry) return undefined;
  const [type, media] = entry;
  const [named] = Object.values(media.examples ?? {});
  const value =
    media.example ?? (named && resolve<{ value?: unknown }>(named).value) ?? exampleOf(media.schema, resolve);
  return { type, value };
};

export const bodyExample = ({ requestBody }: OperationObject, resolve: Resolve) =>
  requestBody && contentExample(resolve<typeof requestBody>(requestBody).content, resolve);

const isComposed = ({ items, oneOf, allOf, properties }: Schema): boolean =>
  (items ?? oneOf ?? allOf) !== undefined ||
  (properties && Object.values(properties).every(({ $ref }) => $ref)) === true;

export const leaveOutExamples = (schemas: Readonly<Record<string, Schema>>): Record<string, Schema> => {
  const resolve = createResolve({ components: { schemas } });
  const entries = Object.entries(schemas).map(([name, schema]): [string, Schema] => {
    const { examples, ...rest } = schema;
    const isAssembled =
      examples?.length === 1 && isComposed(schema) && isDeepStrictEqual(exampleOf(rest, resolve), examples[0]);
    return [name, isAssembled ? rest : schema];
  });
  return Object.fromEntries(entries);
};
