type Json = Record<string, any>;

/** What a reference of the document leads to; anything else is what it is. */
export const resolveReference = (document: Json, value: Json): Json => {
  if (value.$ref === undefined) return value;
  const way: string[] = value.$ref.slice(2).split('/');
  const found = way.reduce<Json>((part, name) => part[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  return resolveReference(document, found);
};

/** Two descriptions of one object: what the second says goes first. */
const join = (one: Json, other: Json): Json => ({
  ...one,
  ...other,
  properties: Object.fromEntries(
    Object.keys({ ...one.properties, ...other.properties }).map((name) => [
      name,
      { ...one.properties?.[name], ...other.properties?.[name] },
    ]),
  ),
  required: [...new Set([...(one.required ?? []), ...(other.required ?? [])])],
});

/** An object that is told of as others and what is added to them, as one with all of its fields. */
export const joinParts = (document: Json, schema: Json): Json => {
  const { allOf, ...own } = schema;
  if (!allOf) return schema;
  const parts = allOf.map((part: Json) => joinParts(document, resolveReference(document, part)));
  return [...parts, own].reduce(join, {});
};
