import type { z } from 'zod';

const bases = new WeakMap<z.core.$ZodType, z.ZodObject>();

/** An object with all fields of another, and more. The document says it in this way, and not field by field again. */
export const extend = <Shape extends z.core.$ZodShape, Fields extends z.core.$ZodLooseShape>(
  base: z.ZodObject<Shape>,
  fields: Fields,
  words: z.core.GlobalMeta,
) => {
  const schema = base.extend(fields).meta(words);
  bases.set(schema, base);
  return schema;
};

/** What an object was made of, if it extends another. */
export const baseOf = (schema: z.core.$ZodType): z.ZodObject | undefined => bases.get(schema);
