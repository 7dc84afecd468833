import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Schema } from '../../cli/args/json-schema.ts';
import { baseOf } from '../../src/kernel/schema.ts';

export type Json = Record<string, unknown>;

export type SchemaOf = (schema: z.ZodType) => Json;

export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;
type Published = Parameters<Override>[0]['jsonSchema'];
type ZodSchema = Parameters<Override>[0]['zodSchema'];

const nameOf = (schema: z.core.$ZodType): string => z.globalRegistry.get(schema)?.id ?? '';

const discriminatorOf = (schema: ZodSchema): Json | undefined => {
  const { def } = schema._zod;
  if (def.type !== 'union' || !('discriminator' in def)) return undefined;
  const { discriminator: propertyName, options } = def as unknown as z.core.$ZodDiscriminatedUnionDef;
  const mapping = options.flatMap((option) => {
    const values = option._zod.propValues?.[propertyName] ?? [];
    return [...values].map((value) => [String(value), `#/components/schemas/${nameOf(option)}`]);
  });
  return { propertyName, mapping: Object.fromEntries(mapping) };
};

/** Turns an `anyOf` that contains the type `null` into a list of types, which more client generators support. */
const joinNull = (jsonSchema: Published): void => {
  const [value, other, ...rest] = jsonSchema.anyOf ?? [];
  if (!value?.type || other?.type !== 'null' || rest.length > 0) return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, { ...value, ...jsonSchema, type: [value.type, 'null'] });
};

const asPublished: Override = ({ zodSchema, jsonSchema }) => {
  const { examples, default: standard } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples !== undefined) jsonSchema.examples = examples as unknown[];
  if (standard !== undefined) jsonSchema.default = standard as typeof jsonSchema.default;
  if (jsonSchema.type === 'integer' || jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.type === 'integer' && jsonSchema.minimum === undefined) delete jsonSchema.maximum;
  // An `enum` with one value replaces `const`, because more client generators support `enum`.
  if (jsonSchema.const !== undefined) {
    jsonSchema.enum = [jsonSchema.const];
    delete jsonSchema.const;
  }
  const discriminator = discriminatorOf(zodSchema);
  if (discriminator) Object.assign(jsonSchema, { discriminator });
  joinNull(jsonSchema);
};

const asExtension = (base: Schema, baseName: string, extended: Schema): Schema => {
  const { type = 'object', properties = {}, required = [], ...words } = extended;
  const added = Object.entries(properties).flatMap(([name, field]) => {
    const known = base.properties?.[name];
    if (isDeepStrictEqual(field, known)) return [];
    const { description, ...rest } = field;
    return [[name, description === known?.description ? rest : field]];
  });
  const newlyRequired = required.filter((name) => !base.required?.includes(name));
  return {
    ...words,
    allOf: [
      ref('schemas', baseName),
      { type, properties: Object.fromEntries(added), ...(newlyRequired.length > 0 && { required: newlyRequired }) },
    ],
  };
};

export const createSchemas = () => {
  const schemas: Record<string, Schema> = {};
  const bases = new Map<string, z.ZodObject>();
  const relocate = (value: unknown): Json =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));

  const override: Override = (context) => {
    asPublished(context);
    const base = baseOf(context.zodSchema);
    if (base) bases.set(nameOf(context.zodSchema), base);
  };

  const schemaOf: SchemaOf = (schema) => {
    // Zod turns a named schema into a reference only if the named schema is inside another schema.
    const { properties, $defs } = z.toJSONSchema(z.object({ it: schema }), {
      io: 'input',
      unrepresentable: 'any',
      override,
    });
    Object.assign(schemas, relocate($defs ?? {}));
    return relocate(properties?.it);
  };

  const named = (): Record<string, Schema> => {
    for (const base of bases.values()) schemaOf(base);
    const extensions = [...bases].map(([name, base]): [string, Schema] => {
      const baseName = nameOf(base);
      return [name, asExtension(schemas[baseName] ?? {}, baseName, schemas[name] ?? {})];
    });
    return { ...schemas, ...Object.fromEntries(extensions) };
  };
  return { named, schemaOf };
};
