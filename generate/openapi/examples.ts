import { isDeepStrictEqual } from 'node:util';
import type { Schema } from './schemas.ts';

type Schemas = Readonly<Record<string, Schema>>;

const NAMED = '#/components/schemas/';

/** What a reader makes of the examples of the parts of a schema; undefined if one of them has none. */
const createAssembly = (schemas: Schemas) => {
  const shownBy = (schema: Schema): unknown => (schema.examples ? schema.examples[0] : assemble(schema));

  /** Fields of which an object and those that it extends are made, the later ones first to be believed. */
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

/** What is made of other schemas: a plain object shows its own example, which is short. */
const isComposed = ({ items, oneOf, allOf, properties = {} }: Schema): boolean =>
  (items ?? oneOf ?? allOf) !== undefined || Object.values(properties).every(({ $ref }) => $ref);

/** Leaves out the example of a list or an object that is but what the examples of its parts make up. */
export const leaveOutExamples = (schemas: Schemas): Schemas => {
  const assemble = createAssembly(schemas);
  const entries = Object.entries(schemas).map(([name, schema]): [string, Schema] => {
    const { examples, ...rest } = schema;
    const isSaid = examples?.length === 1 && isComposed(schema) && isDeepStrictEqual(assemble(rest), examples[0]);
    return [name, isSaid ? rest : schema];
  });
  return Object.fromEntries(entries);
};
