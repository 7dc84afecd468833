import { isDeepStrictEqual } from 'node:util';
import { type Direction, findSchemaBreaks, type Json, resolve } from './breaks.schema.ts';

type Operation = Json & { parameters?: Json[]; requestBody?: Json; responses?: Json };
type Documents = { before: Json; after: Json };
/** Compares the old and new state of one place in the document. */
type Compare = (was: Json, is: Json | undefined, where: string) => string[];

const METHODS = ['get', 'post', 'patch', 'put', 'delete'];

const operationsIn = (items: Json = {}): Map<string, Operation> =>
  new Map(
    Object.entries<Json>(items).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => [`${method.toUpperCase()} ${path}`, item[method]]),
    ),
  );

/** Compares entries of the same name. */
const compareNamed = (was: Json | undefined, is: Json | undefined, compare: (name: string) => string[]): string[] =>
  Object.keys({ ...was, ...is }).flatMap(compare);

/** How a parameter serializes a list or an object. */
const writingOf = ({ in: place, style = place === 'query' ? 'form' : 'simple', explode = style === 'form' }: Json) =>
  `${style} ${explode}`;

/** From least to most stable. */
const STABILITIES = ['experimental', 'beta', undefined];

/** Compares an operation's own promises: its stability, its sunset date, and who may call it. */
const promiseBreaks = ({ before, after }: Documents, was: Operation, is: Operation, where: string): string[] => {
  const [stability, sunset] = [is['x-stability'], is['x-sunset']];
  const [then, now] = [was.security ?? before.security, is.security ?? after.security];
  return [
    ...(was.operationId === is.operationId
      ? []
      : [`${where} is now called ${is.operationId} (was ${was.operationId})`]),
    ...(was['x-scope'] === is['x-scope']
      ? []
      : [`${where} requires the scope ${is['x-scope']} (was ${was['x-scope']})`]),
    ...(STABILITIES.indexOf(stability) < STABILITIES.indexOf(was['x-stability'])
      ? [`${where} is now only ${stability}`]
      : []),
    ...(was['x-sunset'] && sunset < was['x-sunset']
      ? [`${where} is removed on ${sunset} (was ${was['x-sunset']})`]
      : []),
    ...(now?.length > 0 && !isDeepStrictEqual(then, now) ? [`${where} requires another kind of key`] : []),
  ];
};

const createComparison = ({ before, after }: Documents) => {
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

  const responses: Compare = (was, is, where) =>
    compareNamed(was, undefined, (status) => {
      const [then, now] = [resolve(before, was[status]), resolve(after, is?.[status])];
      const place = `${where}: the response ${status}`;
      if (!then || !now) return [`${place} was removed`];
      return [...headers(then, now, place), ...content('answer')(then, now, place)];
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
    if (!is.requestBody) return was.requestBody ? [`${place} was removed`] : [];
    const isNewlyRequired = is.requestBody.required && !was.requestBody?.required;
    if (direction === 'request' && isNewlyRequired) return [`${place} is now required`];
    return was.requestBody ? content(direction)(was.requestBody, is.requestBody, place) : [];
  };

  return (was: Operation, is: Operation, direction: Direction, where: string): string[] => [
    ...promiseBreaks({ before, after }, was, is, where),
    ...parameters(was, is, direction, where),
    ...body(was, is, direction, where),
    ...(direction === 'request' ? responses(was.responses ?? {}, is.responses, where) : []),
  ];
};

/** Finds what works with the document `before` but may fail with `after`. Experimental parts promise nothing. */
export const findBreaks = (before: Json, after: Json): string[] => {
  const compare = createComparison({ before, after });
  const kinds: [string, Direction][] = [
    ['paths', 'request'],
    // A webhook receiver reads a delivery as a client reads a response.
    ['webhooks', 'answer'],
  ];
  const servers = (before.servers ?? [])
    .filter(({ url }: Json) => !after.servers?.some((server: Json) => server.url === url))
    .map(({ url }: Json) => `the server ${url} was removed`);
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
  return [...servers, ...operations];
};
