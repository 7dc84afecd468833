// biome-ignore lint/suspicious/noExplicitAny: a document may contain anything, and missing parts are undefined.
export type Json = Record<string, any>;

/** The reader of a value: the service in a request, a client in a response. */
export type Direction = 'request' | 'answer';
type Place = { direction: Direction; where: string };

/** Resolves a part of the document. Members next to a reference are added to its target. */
export const resolve = (document: Json, part: Json | undefined): Json | undefined => {
  if (part === undefined) return undefined;
  const { $ref, allOf = [], ...said } = part;
  for (const each of [...allOf, ...($ref === undefined ? [] : [follow(document, $ref)])]) {
    const inner = resolve(document, each) ?? {};
    const properties = joinProperties(inner.properties, said.properties);
    const required = joinRequired(inner.required, said.required);
    Object.assign(said, { ...inner, ...said }, properties && { properties }, required && { required });
  }
  return said;
};

const follow = (document: Json, pointer: string): Json =>
  pointer
    .slice(2)
    .split('/')
    .reduce((value, name) => value?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);

const joinProperties = (inner: Json | undefined, outer: Json | undefined): Json | undefined => {
  if (!inner || !outer) return inner ?? outer;
  const names = Object.keys({ ...inner, ...outer });
  return Object.fromEntries(names.map((name) => [name, { ...inner[name], ...outer[name] }]));
};

/** In a schema, `required` lists fields. In a parameter or body, it is a boolean. */
const joinRequired = (inner: unknown, outer: unknown): string[] | undefined =>
  Array.isArray(inner) && Array.isArray(outer) ? [...new Set([...inner, ...outer])] : undefined;

const missing = <Value>(from: readonly Value[], among: readonly Value[]): Value[] =>
  from.filter((value) => !among.includes(value));

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** An integer is also a number. */
const typesOf = ({ type = TYPES }: Json): string[] => {
  const types: string[] = [type].flat();
  return types.includes('number') ? [...types, 'integer'] : types;
};

const typeBreaks = (was: Json, is: Json, { direction, where }: Place): string[] => {
  const [then, now] = [typesOf(was), typesOf(is)];
  const lost = direction === 'request' ? missing(then, now) : missing(now, then);
  const spell = ({ type = 'anything' }: Json) => [type].flat().join(' or ');
  if (lost.length > 0) return [`${where} is now ${spell(is)} (was ${spell(was)})`];
  return was.format === is.format ? [] : [`${where} has the format ${is.format} (was ${was.format})`];
};

/** A removed value breaks both sides. An added value breaks clients, unless the field is marked as extensible. */
const enumBreaks = (was: Json, is: Json, { direction, where }: Place): string[] => {
  if (!was.enum && !is.enum) return [];
  if (!was.enum) return direction === 'request' ? [`${where} now accepts only ${is.enum.join(', ')}`] : [];
  if (!is.enum) return direction === 'answer' ? [`${where} is no longer one of ${was.enum.join(', ')}`] : [];
  const isOpen = direction === 'request' || was['x-extensible'];
  return [
    ...missing(was.enum, is.enum).map((value) => `${where} can no longer be ${value}`),
    ...(isOpen ? [] : missing(is.enum, was.enum).map((value) => `${where} may now be ${value}`)),
  ];
};

const BOUNDS: [name: string, isNarrower: (was: number, is: number) => boolean][] = [
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'].map((name): (typeof BOUNDS)[number] => [
    name,
    (was, is) => is < was,
  ]),
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems'].map((name): (typeof BOUNDS)[number] => [
    name,
    (was, is) => is > was,
  ]),
];

/** Values that a request may contain must stay accepted. Patterns cannot be compared, so any new one counts. */
const boundBreaks = (was: Json, is: Json, { direction, where }: Place): string[] => {
  if (direction === 'answer') return [];
  const narrower = BOUNDS.filter(
    ([name, isNarrower]) => is[name] !== undefined && (was[name] === undefined || isNarrower(was[name], is[name])),
  ).map(([name]) => `${where} has ${name} ${is[name]} (was ${was[name] ?? 'none'})`);
  const isPatternNew = is.pattern !== undefined && is.pattern !== was.pattern;
  const isClosed = is.additionalProperties === false && was.additionalProperties !== false;
  return [
    ...narrower,
    ...(isClosed ? [`${where} no longer accepts other fields`] : []),
    ...(isPatternNew ? [`${where} has the pattern ${is.pattern} (was ${was.pattern})`] : []),
  ];
};

/** Requests without the value must keep the same meaning. */
const defaultBreaks = (was: Json, is: Json, { direction, where }: Place): string[] => {
  const [then, now] = [JSON.stringify(was.default), JSON.stringify(is.default)];
  return direction === 'answer' || then === undefined || then === now
    ? []
    : [`${where} has the default ${now ?? 'none'} (was ${then})`];
};

const requiredBreaks = (was: Json, is: Json, { direction, where }: Place): string[] => {
  const [then, now] = [was.required ?? [], is.required ?? []];
  return direction === 'request'
    ? missing(now, then).map((name) => `${where}.${name} is now required`)
    : missing(then, now)
        .filter((name) => is.properties?.[name as string])
        .map((name) => `${where}.${name} is no longer always present`);
};

/** The alternatives of a value, by what distinguishes them. */
const formsOf = (document: Json, schema: Json): Map<string, Json> => {
  const { oneOf, anyOf = [schema], discriminator } = resolve(document, schema) ?? {};
  return new Map(
    (oneOf ?? anyOf).map((form: Json) => {
      const said = resolve(document, form) ?? {};
      return [String(said.properties?.[discriminator?.propertyName]?.enum ?? form.$ref ?? said.type), form];
    }),
  );
};

const isUnion = ({ oneOf, anyOf }: Json): boolean => (oneOf ?? anyOf) !== undefined;

/** Compares the schemas of two documents. Each pair of named schemas is compared once per direction. */
export const findSchemaBreaks = (before: Json, after: Json) => {
  const seen = new Set<string>();

  const compareForms = (was: Json, is: Json, { direction, where }: Place): string[] => {
    const [then, now] = [formsOf(before, was), formsOf(after, is)];
    const isOpen = direction === 'request' || resolve(before, was)?.['x-extensible'];
    return [
      ...missing([...then.keys()], [...now.keys()]).map((form) => `${where} can no longer be ${form}`),
      ...(isOpen ? [] : missing([...now.keys()], [...then.keys()]).map((form) => `${where} may now be ${form}`)),
      ...[...then].flatMap(([form, schema]) =>
        compare(schema, now.get(form), { direction, where: `${where} (${form})` }),
      ),
    ];
  };

  const compareObjects = (was: Json, is: Json, place: Place): string[] => {
    const { where } = place;
    const names = Object.keys(was.properties ?? {});
    return [
      ...requiredBreaks(was, is, place),
      ...names.flatMap((name) => {
        const now = is.properties?.[name];
        return now
          ? compare(was.properties[name], now, { ...place, where: `${where}.${name}` })
          : [`${where}.${name} was removed`];
      }),
    ];
  };

  /** A named schema is reported once, by its name. */
  const nameOf = ({ $ref, properties }: Json): string | undefined => (properties ? undefined : $ref);

  const isSeen = (...pair: unknown[]): boolean => {
    const text = JSON.stringify(pair);
    return seen.has(text) || !seen.add(text);
  };

  const compare = (was: Json | undefined, is: Json | undefined, { direction, where }: Place): string[] => {
    if (!was || !is) return [];
    const name = nameOf(was);
    if (name && isSeen(name, nameOf(is) ?? is, direction)) return [];
    const place = { direction, where: name ? `${name.split('/').at(-1)} in ${direction}s` : where };
    const [then, now] = [resolve(before, was) ?? {}, resolve(after, is) ?? {}];
    if (isUnion(then) || isUnion(now)) return compareForms(was, is, place);
    return [
      ...typeBreaks(then, now, place),
      ...enumBreaks(then, now, place),
      ...boundBreaks(then, now, place),
      ...defaultBreaks(then, now, place),
      ...compareObjects(then, now, place),
      ...compare(then.items, now.items, { ...place, where: `${place.where}[]` }),
      ...compare(then.additionalProperties, now.additionalProperties, { ...place, where: `${place.where}.*` }),
    ];
  };
  return compare;
};
