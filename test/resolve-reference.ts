type Json = Record<string, any>;

export const resolveReference = (document: Json, value: Json): Json => {
  if (value.$ref === undefined) return value;
  const way: string[] = value.$ref.slice(2).split('/');
  const found = way.reduce<Json>((part, name) => part[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  return resolveReference(document, found);
};

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

export const joinParts = (document: Json, schema: Json): Json => {
  const { allOf, ...own } = schema;
  if (!allOf) return schema;
  const parts = allOf.map((part: Json) => joinParts(document, resolveReference(document, part)));
  return [...parts, own].reduce(join, {});
};
