type Json = Record<string, any>;

export const resolve = (document: Json, pointer: string): any =>
  pointer
    .slice(2)
    .split('/')
    .reduce<any>((value, name) => value?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);

export const dereference = (document: Json): Json => {
  const placed = (value: unknown): any => {
    if (Array.isArray(value)) return value.map(placed);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...siblings } = value as Json;
    if (typeof $ref === 'string' && !$ref.startsWith('#/components/schemas/'))
      return { ...placed(resolve(document, $ref)), ...siblings };
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, placed(inner)]));
  };
  return placed(document);
};
