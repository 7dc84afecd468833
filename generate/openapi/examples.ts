import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../json-schema.ts';

type Schemas = Readonly<Record<string, Schema>>;

const NAMED = '#/components/schemas/';

/** Assembles the example of a schema from those of its parts; undefined if one of them has none. */
const createAssembly = (schemas: Schemas) => {
  const shownBy = (schema: Schema): unknown => (schema.examples ? schema.examples[0] : assemble(schema));

  /** The fields of an object and of those that it extends; its own override theirs. */
  const fieldsOf = ({ $ref, allOf = [], properties = {} }: Schema): Record<string, Schema> => {
    const inner = [...($ref ? [schemas[$ref.slice(NAMED.length)] ?? {}] : []), ...allOf].map(fieldsOf);
    return Object.assign({}, ...inner, properties);
  };

  const assemble = (schema: Schema): unknown => {
    const { $ref, oneOf, anyOf, items, enum: values } = schema;
    if ($ref) return shownBy(schemas[$ref.slice(NAMED.length)] ?? {});
    if (values?.length === 1) return values[0];
    const [first] = oneOf ?? anyOf ?? [];
    if (first) return shownBy(first);
    if (items) {
      const item = shownBy(items);
      return item === undefined ? undefined : [item];
    }
    const fields = Object.entries(fieldsOf(schema)).map(([name, field]) => [name, shownBy(field)]);
    const isWhole = fields.length > 0 && fields.every(([, value]) => value !== undefined);
    return isWhole ? Object.fromEntries(fields) : undefined;
  };
  return assemble;
};

/** Whether a schema consists of others. A plain object keeps its own example, which is short. */
const isComposed = ({ items, oneOf, allOf, properties = {} }: Schema): boolean =>
  (items ?? oneOf ?? allOf) !== undefined || Object.values(properties).every(({ $ref }) => $ref);

/** Removes the example of a list or an object that equals the assembled examples of its parts. */
export const leaveOutExamples = (schemas: Schemas): Schemas => {
  const assemble = createAssembly(schemas);
  const entries = Object.entries(schemas).map(([name, schema]): [string, Schema] => {
    const { examples, ...rest } = schema;
    const isSaid = examples?.length === 1 && isComposed(schema) && isDeepStrictEqual(assemble(rest), examples[0]);
    return [name, isSaid ? rest : schema];
  });
  return Object.fromEntries(entries);
};
