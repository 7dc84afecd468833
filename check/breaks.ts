import { type Direction, findSchemaBreaks, type Json, resolve } from './breaks.schema.ts';

type Operation = Json & { parameters?: Json[]; requestBody?: Json; responses?: Json };
type Documents = { before: Json; after: Json };
/** What one place of the document said, and says now. */
type Compare = (was: Json, is: Json | undefined, where: string) => string[];

const METHODS = ['get', 'post', 'patch', 'put', 'delete'];

const operationsIn = (items: Json = {}): Map<string, Operation> =>
  new Map(
    Object.entries<Json>(items).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => [`${method.toUpperCase()} ${path}`, item[method]]),
    ),
  );

/** Compares what was there by name, each with what is there now under the same name. */
const compareNamed = (was: Json | undefined, is: Json | undefined, compare: (name: string) => string[]): string[] =>
  Object.keys({ ...was, ...is }).flatMap(compare);

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
      if (!now) return [`${where} has no header ${name} any more`];
      if (then?.required && !now.required) return [`${where} no longer always has the header ${name}`];
      return schemas(then?.schema, now.schema, { direction: 'answer', where: `${where}, header ${name}` });
    });

  const responses: Compare = (was, is, where) =>
    compareNamed(was, undefined, (status) => {
      const [then, now] = [resolve(before, was[status]), resolve(after, is?.[status])];
      const place = `${where}: the answer ${status}`;
      if (!then || !now) return [`${place} is gone`];
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
      if (!now[name]) return [`${place} is gone`];
      if (direction === 'request' && now[name].required && !then[name]?.required) return [`${place} is now required`];
      return then[name] ? schemas(then[name].schema, now[name].schema, { direction, where: place }) : [];
    });
  };

  const body = (was: Operation, is: Operation, direction: Direction, where: string): string[] => {
    const place = `${where}: the body`;
    if (!is.requestBody) return was.requestBody ? [`${place} is gone`] : [];
    const isNewlyRequired = is.requestBody.required && !was.requestBody?.required;
    if (direction === 'request' && isNewlyRequired) return [`${place} is now required`];
    return was.requestBody ? content(direction)(was.requestBody, is.requestBody, place) : [];
  };

  return (was: Operation, is: Operation, direction: Direction, where: string): string[] => [
    ...(was.operationId === is.operationId ? [] : [`${where} is now called ${is.operationId}, not ${was.operationId}`]),
    ...(was['x-scope'] === is['x-scope'] ? [] : [`${where} takes the scope ${is['x-scope']}, not ${was['x-scope']}`]),
    ...parameters(was, is, direction, where),
    ...body(was, is, direction, where),
    ...(direction === 'request' ? responses(was.responses ?? {}, is.responses, where) : []),
  ];
};

/** What works with the document `before` and may not with `after`. What was experimental had promised nothing. */
export const findBreaks = (before: Json, after: Json): string[] => {
  const compare = createComparison({ before, after });
  const kinds: [string, Direction][] = [
    ['paths', 'request'],
    // What is sent to a webhook is read there as an answer is.
    ['webhooks', 'answer'],
  ];
  return kinds.flatMap(([kind, direction]) => {
    const now = operationsIn(after[kind]);
    return [...operationsIn(before[kind])]
      .filter(([, was]) => was['x-stability'] !== 'experimental')
      .flatMap(([name, was]) => {
        const is = now.get(name);
        const where = kind === 'webhooks' ? `webhook ${name.split(' ')[1]}` : name;
        return is ? compare(was, is, direction, where) : [`${where} is gone`];
      });
  });
};
