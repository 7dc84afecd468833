import { isDeepStrictEqual } from 'node:util';

// biome-ignore lint/suspicious/noExplicitAny: a document may contain anything, and missing parts are undefined.
export type Json = Record<string, any>;

export type Direction = 'request' | 'answer';
type Place = { direction: Direction; where: string };

const ANNOTATIONS = ['title', 'description', 'example', 'examples', 'deprecated', 'externalDocs', '$comment', '$defs'];

const isAnnotation = (keyword: string): boolean => ANNOTATIONS.includes(keyword) || keyword.startsWith('x-');

const conflicts = (inner: Json, said: Json): Json =>
  Object.fromEntries(
    Object.entries(inner)
      .filter(([name]) => !isAnnotation(name) && !['properties', 'required'].includes(name))
      .filter(([name, value]) => name in said && !isDeepStrictEqual(said[name], value))
      .map(([name, value]) => [`another ${name}`, value]),
  );

export const resolve = (document: Json, part: Json | undefined): Json | undefined => {
  if (part === undefined) return undefined;
  const { $ref, allOf = [], ...said } = part;
  for (const each of [...allOf, ...($ref === undefined ? [] : [follow(document, $ref)])]) {
    const inner = resolve(document, each) ?? {};
    const properties = joinProperties(inner.properties, said.properties);
    const required = joinRequired(inner.required, said.required);
    const joined = { ...inner, ...conflicts(inner, said), ...said };
    Object.assign(said, joined, properties && { properties }, required && { required });
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

const joinRequired = (inner: unknown, outer: unknown): string[] | undefined =>
  Array.isArray(inner) && Array.isArray(outer) ? [...new Set([...inner, ...outer])] : undefined;

const missing = <Value>(from: readonly Value[], among: readonly Value[]): Value[] =>
  from.filter((value) => !among.includes(value));

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

const typesOf = ({ type = TYPES }: Json): string[] => {
  const types: string[] = [type].flat();
  return types.includes('number') ? [...types, 'integer'] : types;
};

/** These keywords define what a value means, so any change to them breaks both requests and responses. */
const FORMATS = ['format', 'contentEncoding', 'contentMediaType'];

const typeBreaks = (was: Json, is: Json, { direction, where }: Place): string[] => {
  const [then, now] = [typesOf(was), typesOf(is)];
  const lost = direction === 'request' ? missing(then, now) : missing(now, then);
  const spell = ({ type = 'anything' }: Json) => [type].flat().join(' or ');
  if (lost.length > 0) return [`${where} is now ${spell(is)} (was ${spell(was)})`];
  return FORMATS.filter((name) => was[name] !== is[name]).map(
    (name) => `${where} has the ${name} ${is[name]} (was ${was[name]})`,
  );
};

const valuesOf = ({ const: only, enum: values }: Json): unknown[] | undefined => (only === undefined ? values : [only]);

/**
 * Removing a value from an enum always breaks clients. Adding a value to an enum in a response also breaks them, unless
 * the enum is marked as extensible.
 */
const enumBreaks = (was: Json, is: Json, { direction, where }: Place): string[] => {
  const [then, now] = [valuesOf(was), valuesOf(is)];
  if (!then) return now && direction === 'request' ? [`${where} now accepts only ${now.join(', ')}`] : [];
  if (!now) return direction === 'answer' ? [`${where} is no longer one of ${then.join(', ')}`] : [];
  const isOpen = direction === 'request' || was['x-extensible'];
  return [
    ...missing(then, now).map((value) => `${where} can no longer be ${value}`),
    ...(isOpen ? [] : missing(now, then).map((value) => `${where} may now be ${value}`)),
    ...(!isOpen && is['x-extensible'] ? [`${where} may now have values that clients do not know`] : []),
  ];
};

const BOUNDS: [name: string, isNarrower: (was: number, is: number) => boolean][] = [
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map((name): (typeof BOUNDS)[number] => [
    name,
    (was, is) => is < was,
  ]),
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map((name): (typeof BOUNDS)[number] => [
    name,
    (was, is) => is > was,
  ]),
  ['multipleOf', (was, is) => was % is !== 0],
];

const COMPARED = new Set([
  ...BOUNDS.map(([name]) => name),
  ...FORMATS,
  ...['type', 'enum', 'const', 'pattern', 'default', 'required', 'properties', 'items', 'additionalProperties'],
  ...['oneOf', 'anyOf', 'discriminator', 'writeOnly'],
]);

const IDLE: Json = { uniqueItems: false, readOnly: false };

/**
 * A new or changed keyword, such as `not` or `if`, may reject requests that were valid before. This check cannot tell
 * which keywords do, so every new or changed keyword counts as breaking.
 */
const keywordBreaks = (was: Json, is: Json, { direction, where }: Place): string[] => {
  if (direction === 'answer') return is.writeOnly && !was.writeOnly ? [`${where} is no longer sent`] : [];
  return Object.keys(is)
    .filter((name) => !COMPARED.has(name) && !isAnnotation(name))
    .filter((name) => !isDeepStrictEqual(was[name] ?? IDLE[name], is[name]))
    .map((name) => `${where} has ${name} ${JSON.stringify(is[name])} (was ${JSON.stringify(was[name]) ?? 'none'})`);
};

/**
 * Valid requests must stay valid. The check cannot tell whether a new pattern is stricter than the old one, so every
 * new pattern counts as breaking.
 */
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

/** If a default changes, requests that omit the value mean something different. */
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

const formsOf = (document: Json, schema: Json): Map<string, Json> => {
  const { oneOf, anyOf = [schema], discriminator } = resolve(document, schema) ?? {};
  const forms = new Map<string, Json>();
  for (const form of oneOf ?? anyOf) {
    const said = resolve(document, form) ?? {};
    const name = String(said.properties?.[discriminator?.propertyName]?.enum ?? form.$ref ?? said.type);
    forms.set(forms.has(name) ? `${name} ${forms.size}` : name, form);
  }
  return forms;
};

const isUnion = ({ oneOf, anyOf }: Json): boolean => (oneOf ?? anyOf) !== undefined;

const besideForms = ({ oneOf, anyOf, ...rest }: Json): Json => (isUnion({ oneOf, anyOf }) ? rest : {});

export const findSchemaBreaks = (before: Json, after: Json) => {
  const seen = new Set<string>();

  const compareForms = (was: Json, is: Json, { direction, where }: Place): string[] => {
    const [then, now] = [formsOf(before, was), formsOf(after, is)];
    const isOpen = direction === 'request' || resolve(before, was)?.['x-extensible'];
    return [
      ...missing([...then.keys()], [...now.keys()]).map((form) => `${where} can no longer be ${form}`),
      ...(isOpen ? [] : missing([...now.keys()], [...then.keys()]).map((form) => `${where} may now be ${form}`)),
      ...[...then]
        .filter(([form]) => now.has(form))
        .flatMap(([form, schema]) => compare(schema, now.get(form), { direction, where: `${where} (${form})` })),
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

  const nameOf = ({ $ref, ...rest }: Json): string | undefined =>
    Object.keys(rest).every(isAnnotation) ? $ref : undefined;

  const isSeen = (...pair: unknown[]): boolean => {
    const text = JSON.stringify(pair);
    return seen.has(text) || !seen.add(text);
  };

  const compareValues = (then: Json, now: Json, place: Place): string[] => [
    ...typeBreaks(then, now, place),
    ...enumBreaks(then, now, place),
    ...boundBreaks(then, now, place),
    ...keywordBreaks(then, now, place),
    ...defaultBreaks(then, now, place),
    ...compareObjects(then, now, place),
    ...compare(then.items, now.items, { ...place, where: `${place.where}[]` }),
    ...compareOthers(then.additionalProperties, now.additionalProperties, place),
  ];

  const compareOthers = (was: Json | undefined, is: Json | boolean | undefined, place: Place): string[] => {
    const isOpen = typeof is !== 'object' && (place.direction === 'request' || typeof was !== 'object');
    return isOpen ? [] : compare(was, is as Json, { ...place, where: `${place.where}.*` });
  };

  const compare = (was: Json | undefined, is: Json | boolean | undefined, { direction, where }: Place): string[] => {
    if (!is) return was ? [`${where} is no longer described`] : [];
    if (!was && direction === 'answer') return [];
    const name = nameOf(was ?? {});
    if (name && isSeen(name, nameOf(is as Json) ?? is, direction)) return [];
    const place = { direction, where: name ? `${name.split('/').at(-1)} in ${direction}s` : where };
    const [then, now] = [resolve(before, was) ?? {}, resolve(after, is as Json) ?? {}];
    if (!isUnion(then) && !isUnion(now)) return compareValues(then, now, place);
    return [
      ...compareForms(was ?? {}, is as Json, place),
      ...compareValues(besideForms(then), besideForms(now), place),
    ];
  };
  return compare;
};
