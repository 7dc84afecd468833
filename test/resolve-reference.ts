type Json = Record<string, any>;

/** What a reference of the document leads to; anything else is what it is. */
export const resolveReference = (document: Json, value: Json): Json => {
  if (value.$ref === undefined) return value;
  const way: string[] = value.$ref.slice(2).split('/');
  const found = way.reduce<Json>((part, name) => part[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  return resolveReference(document, found);
};
