import { z } from 'zod';

export type Json = Record<string, unknown>;

/** What the document says of a value; a schema with a name is said once, and then referred to. */
export type SchemaOf = (schema: z.ZodType) => Json;

export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;
type Published = Parameters<Override>[0]['jsonSchema'];
type Schema = Parameters<Override>[0]['zodSchema'];

/** By which property a reader tells the schemas of a union apart, and which value means which. */
const discriminatorOf = (schema: Schema): Json | undefined => {
  const { def } = schema._zod;
  if (def.type !== 'union' || !('discriminator' in def)) return undefined;
  const { discriminator: propertyName, options } = def as unknown as z.core.$ZodDiscriminatedUnionDef;
  const mapping = options.flatMap((option) => {
    const id = z.globalRegistry.get(option)?.id;
    const values = option._zod.propValues?.[propertyName] ?? [];
    return [...values].map((value) => [String(value), `#/components/schemas/${id}`]);
  });
  return { propertyName, mapping: Object.fromEntries(mapping) };
};

/** A value or null is told by `type` alone, as more generators understand it. */
const joinNull = (jsonSchema: Published): void => {
  const [value, other, ...rest] = jsonSchema.anyOf ?? [];
  if (!value?.type || other?.type !== 'null' || rest.length > 0) return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, { ...value, ...jsonSchema, type: [value.type, 'null'] });
};

/** Mends what zod derives from how a value is read: what is published is the value itself. */
const asPublished: Override = ({ zodSchema, jsonSchema }) => {
  const { examples, default: standard } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples !== undefined) jsonSchema.examples = examples as unknown[];
  if (standard !== undefined) jsonSchema.default = standard as typeof jsonSchema.default;
  if (jsonSchema.type === 'integer' || jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.type === 'integer' && jsonSchema.minimum === undefined) delete jsonSchema.maximum;
  // More generators know an `enum` of one value than a `const`.
  if (jsonSchema.const !== undefined) {
    jsonSchema.enum = [jsonSchema.const];
    delete jsonSchema.const;
  }
  const discriminator = discriminatorOf(zodSchema);
  if (discriminator) Object.assign(jsonSchema, { discriminator });
  joinNull(jsonSchema);
};

/** Collects the named schemas that the document's parts refer to. */
export const createSchemas = (): { schemas: Json; schemaOf: SchemaOf } => {
  const schemas: Json = {};
  const relocate = (value: unknown): Json =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));

  const schemaOf: SchemaOf = (schema) => {
    // As a property, a schema with an id becomes a reference, whereas at the root it would be written out.
    const { properties, $defs } = z.toJSONSchema(z.object({ it: schema }), {
      io: 'input',
      unrepresentable: 'any',
      override: asPublished,
    });
    Object.assign(schemas, relocate($defs ?? {}));
    return relocate(properties?.it);
  };
  return { schemas, schemaOf };
};
