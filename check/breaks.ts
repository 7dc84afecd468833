import { isDeepStrictEqual } from 'node:util';
import { type Direction, findSchemaBreaks, type Json, resolve } from './breaks.schema.ts';

type Operation = Json & { parameters?: Json[]; requestBody?: Json; responses?: Json };
type Documents = { before: Json; after: Json; today: Date };
type Compare = (was: Json, is: Json | undefined, where: string) => string[];

const METHODS = ['get', 'post', 'patch', 'put', 'delete', 'head', 'options', 'trace'];

const operationsIn = (items: Json = {}): Map<string, Operation> =>
  new Map(
    Object.entries<Json>(items).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => [
        `${method.toUpperCase()} ${path}`,
        { ...item[method], parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])] },
      ]),
    ),
  );

const compareNamed = (was: Json | undefined, is: Json | undefined, compare: (name: string) => string[]): string[] =>
  Object.keys({ ...was, ...is }).flatMap(compare);

const writingOf = ({ in: place, style = place === 'query' ? 'form' : 'simple', explode = style === 'form' }: Json) =>
  `${style} ${explode}`;

const STABILITIES = ['experimental', 'beta', undefined];

/** Minimum number of days from announcing a removal to the removal itself. Experimental operations need no notice. */
const NOTICE_DAYS = { stable: 730, beta: 180 };
const DAY_MS = 86_400_000;

const sunsetBreaks = (was: Operation, is: Operation, where: string, today: Date): string[] => {
  const [then, now] = [was['x-sunset'], is['x-sunset']];
  if (now === undefined || now === then) return [];
  if (then !== undefined) return now > then ? [] : [`${where} is removed on ${now} (was ${then})`];
  const days = NOTICE_DAYS[was['x-stability'] === 'beta' ? 'beta' : 'stable'];
  return Date.parse(now) - today.getTime() >= days * DAY_MS
    ? []
    : [`${where} is removed on ${now}, which gives less than ${days} days of notice`];
};

type Requirement = Record<string, string[]>;

/** Older OpenAPI documents name the required scope only in `x-scope`, not in `security`. */
const requirementsOf = (document: Json, { security = document.security ?? [], ...is }: Operation): Requirement[] => {
  const named = is['x-scope'] === undefined || is['x-scope'] === 'any key' ? [] : [is['x-scope']];
  if (security.length === 0) return [{}];
  return security.map((schemes: Requirement) =>
    Object.fromEntries(Object.entries(schemes).map(([scheme, scopes]) => [scheme, [...scopes, ...named]])),
  );
};

const isEnough = (credentials: Requirement, alternatives: Requirement[]): boolean =>
  alternatives.some((needed) =>
    Object.entries(needed).every(
      ([scheme, scopes]) => scopes.every((scope) => credentials[scheme]?.includes(scope)) && credentials[scheme],
    ),
  );

const scopesIn = (requirements: Requirement[]): string[] => [
  ...new Set(requirements.flatMap((schemes) => Object.values(schemes).flat())),
];

const securityBreaks = (then: Requirement[], now: Requirement[], where: string): string[] => {
  if (then.every((credentials) => isEnough(credentials, now))) return [];
  const had = scopesIn(then);
  const added = scopesIn(now).filter((scope) => !had.includes(scope));
  if (added.length === 0) return [`${where} requires another kind of key`];
  return [`${where} requires the scope ${added.join(', ')} (was ${had.join(', ') || 'none'})`];
};

const schemeBreaks = (was: Json = {}, is: Json = {}): string[] => {
  const spell = ({ description, bearerFormat, ...sent }: Json) => JSON.stringify(sent);
  return Object.keys(was).flatMap((name) => {
    if (!is[name]) return [`the security scheme ${name} was removed`];
    const isSame = isDeepStrictEqual(JSON.parse(spell(was[name])), JSON.parse(spell(is[name])));
    return isSame ? [] : [`the security scheme ${name} is now ${spell(is[name])} (was ${spell(was[name])})`];
  });
};

/**
 * Generated clients use the schema names, so removing a name breaks them. Error schemas are exempt, because their names
 * are derived from the error codes.
 */
const schemaNameBreaks = (was: Json = {}, is: Json = {}): string[] =>
  Object.keys(was)
    .filter((name) => !is[name] && was[name].allOf?.[0]?.$ref !== '#/components/schemas/Error')
    .map((name) => `the schema ${name} was removed`);

const promiseBreaks = ({ before, after, today }: Documents, was: Operation, is: Operation, where: string): string[] => {
  const stability = is['x-stability'];
  return [
    ...(was.operationId === is.operationId
      ? []
      : [`${where} is now called ${is.operationId} (was ${was.operationId})`]),
    ...(STABILITIES.indexOf(stability) < STABILITIES.indexOf(was['x-stability'])
      ? [`${where} is now only ${stability}`]
      : []),
    ...(isDeepStrictEqual(was.servers, is.servers) ? [] : [`${where} is now on another server`]),
    ...sunsetBreaks(was, is, where, today),
    ...securityBreaks(requirementsOf(before, was), requirementsOf(after, is), where),
  ];
};

const createComparison = ({ before, after, today }: Documents) => {
  const schemas = findSchemaBreaks(before, after);

  const content =
    (direction: Direction): Compare =>
    (was, is, where) =>
      compareNamed(was.content, undefined, (type) => {
        const now = is?.content?.[type];
        if (!now) return [`${where} is no longer ${type}`];
        return schemas(was.content[type].schema, now.schema, { direction, where });
      });

  const headers: Compare = (was, is, where) =>
    compareNamed(was.headers, undefined, (name) => {
      const [then, now] = [resolve(before, was.headers[name]), resolve(after, is?.headers?.[name])];
      if (!now) return [`${where} no longer has the header ${name}`];
      if (then?.required && !now.required) return [`${where} no longer always has the header ${name}`];
      return schemas(then?.schema, now.schema, { direction: 'answer', where: `${where}, header ${name}` });
    });

  const links: Compare = (was, is, where) =>
    compareNamed(was.links, undefined, (name) => {
      const [then, now] = [resolve(before, was.links[name]), resolve(after, is?.links?.[name])];
      if (!now) return [`${where} no longer has the link ${name}`];
      return then?.operationId === now.operationId ? [] : [`${where}: the link ${name} leads to another operation`];
    });

  const responses: Compare = (was, is, where) =>
    compareNamed(was, undefined, (status) => {
      const [then, now] = [resolve(before, was[status]), resolve(after, is?.[status])];
      const place = `${where}: the response ${status}`;
      if (!then || !now) return [`${place} was removed`];
      return [...headers(then, now, place), ...links(then, now, place), ...content('answer')(then, now, place)];
    });

  const byName = (document: Json, { parameters = [] }: Operation): Json =>
    Object.fromEntries(
      parameters.map((each) => resolve(document, each) ?? {}).map((each) => [`${each.in} ${each.name}`, each]),
    );

  const parameters = (was: Operation, is: Operation, direction: Direction, where: string): string[] => {
    const [then, now] = [byName(before, was), byName(after, is)];
    return compareNamed(then, now, (name) => {
      const place = `${where}: ${name}`;
      if (!now[name]) return [`${place} was removed`];
      if (direction === 'request' && now[name].required && !then[name]?.required) return [`${place} is now required`];
      if (!then[name]) return [];
      if (direction === 'answer' && then[name].required && !now[name].required)
        return [`${place} is no longer always present`];
      if (writingOf(then[name]) !== writingOf(now[name])) return [`${place} is serialized differently`];
      return schemas(then[name].schema, now[name].schema, { direction, where: place });
    });
  };

  const body = (was: Operation, is: Operation, direction: Direction, where: string): string[] => {
    const place = `${where}: the body`;
    const [then, now] = [resolve(before, was.requestBody), resolve(after, is.requestBody)];
    if (!now) return then ? [`${place} was removed`] : [];
    if (direction === 'request' && now.required && !then?.required) return [`${place} is now required`];
    return then ? content(direction)(then, now, place) : [];
  };

  return (was: Operation, is: Operation, direction: Direction, where: string): string[] => [
    ...promiseBreaks({ before, after, today }, was, is, where),
    ...parameters(was, is, direction, where),
    ...body(was, is, direction, where),
    ...(direction === 'request' ? responses(was.responses ?? {}, is.responses, where) : []),
  ];
};

const serverBreaks = (was: Json[] = [], is: Json[] = []): string[] =>
  was.flatMap(({ url, variables = {} }) => {
    const server = is.find((one) => one.url === url);
    if (!server) return [`the server ${url} was removed`];
    return Object.entries<Json>(variables).flatMap(([name, then]) => {
      const now = server.variables?.[name];
      if (now?.default !== then.default) return [`the server ${url}: ${name} has another default`];
      const isNarrower = now.enum && !then.enum?.every((value: string) => now.enum.includes(value));
      return isNarrower ? [`the server ${url}: ${name} accepts fewer values`] : [];
    });
  });

export const findBreaks = (before: Json, after: Json, today = new Date()): string[] => {
  const compare = createComparison({ before, after, today });
  const kinds: [string, Direction][] = [
    ['paths', 'request'],
    // Deliveries to a webhook are checked like responses, because a receiver reads a delivery in the same way as a
    // client reads a response.
    ['webhooks', 'answer'],
  ];
  const operations = kinds.flatMap(([kind, direction]) => {
    const now = operationsIn(after[kind]);
    return [...operationsIn(before[kind])]
      .filter(([, was]) => was['x-stability'] !== 'experimental')
      .flatMap(([name, was]) => {
        const is = now.get(name);
        const where = kind === 'webhooks' ? `webhook ${name.split(' ')[1]}` : name;
        return is ? compare(was, is, direction, where) : [`${where} was removed`];
      });
  });
  return [
    ...serverBreaks(before.servers, after.servers),
    ...schemeBreaks(before.components?.securitySchemes, after.components?.securitySchemes),
    ...schemaNameBreaks(before.components?.schemas, after.components?.schemas),
    ...operations,
  ];
};
