import fc from 'fast-check';
import { anyJson, anyText, int64, textOf } from './arbitrary-bodies.ts';
import type { Ask } from './caller.ts';

type Json = Record<string, any>;
type Body = string | Uint8Array<ArrayBuffer> | undefined;

const urlText = fc.oneof(anyText.map(encodeURIComponent), fc.stringMatching(/^[%0-9a-f+.,;:@!$'()*~_-]{0,12}$/));

const headerText = fc.stringMatching(/^[!-~]([ -~]{0,30}[!-~])?$/);

const rarely = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd });

const caller = rarely<'admin' | 'reader' | 'nobody' | { header: string }>(
  fc.constant('admin'),
  fc.oneof(
    fc.constantFrom('reader' as const, 'nobody' as const),
    headerText.map((header) => ({ header })),
  ),
);

const oddHeaders = fc.record(
  {
    'Content-Encoding': fc.constantFrom('identity', 'gzip'),
    'If-None-Match': fc.oneof(fc.constantFrom('"1"', 'W/"1"', '*', '"2", "1"'), headerText),
    'X-Request-Id': headerText,
    Origin: headerText,
    'Idempotency-Key': headerText,
    'X-Forwarded-For': fc.oneof(fc.ipV6(), fc.ipV4Extended(), headerText),
  },
  { requiredKeys: [] },
);

const contentType = rarely(
  fc.constantFrom('application/json', 'application/json; charset=utf-8'),
  fc.oneof(fc.constantFrom('text/plain', 'application/xml'), headerText),
);

const headers = fc
  .tuple(contentType, rarely(fc.constant({}), oddHeaders))
  .map(([type, odd]): Record<string, string> => ({ 'Content-Type': type, ...odd }));

const oddBody: fc.Arbitrary<Body> = fc.oneof(
  anyJson,
  anyText,
  fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)),
  fc.constantFrom('x'.repeat(70_000), '['.repeat(5_000), '['.repeat(3_000) + ']'.repeat(3_000)),
  fc.constant(undefined),
);

const parameterText = (document: Json, { schema }: Json): fc.Arbitrary<string> => {
  const bare = (part: Json) => textOf(document, part).map((text) => text.replace(/^"(.*)"$/, '$1'));
  const usual =
    schema.type === 'array' ? fc.array(bare(schema.items), { minLength: 1, maxLength: 5 }).map(String) : bare(schema);
  return rarely(fc.oneof(usual, fc.integer({ min: 1, max: 40 }).map(String)).map(encodeURIComponent), urlText);
};

const queryOf = (document: Json, parameters: readonly Json[]): fc.Arbitrary<string> => {
  const unknown = fc.tuple(urlText, urlText);
  const known = parameters.map((each) => fc.tuple(fc.constant(each.name as string), parameterText(document, each)));
  return fc
    .array(fc.oneof(unknown, ...known), { maxLength: 3 })
    .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));
};

const toOperation = (document: Json, path: string, verb: string, operation: Json) => {
  const parameters: Json[] = operation.parameters ?? [];
  const values = parameters.filter((each) => each.in === 'path').map((each) => parameterText(document, each));
  const schema = operation.requestBody?.content['application/json'].schema;
  return fc.record({
    method: fc.constantFrom(...(verb === 'get' ? ['GET', 'GET', 'HEAD'] : [verb.toUpperCase()])),
    path: fc.tuple(...values).map((given) => {
      const rest = [...given];
      return `/v1${path.replaceAll(/\{\w+\}/g, () => rest.shift() ?? '')}`;
    }),
    query: queryOf(
      document,
      parameters.filter((each) => each.in === 'query'),
    ),
    headers,
    caller,
    body: schema ? rarely<Body>(textOf(document, schema), oddBody) : fc.constant<Body>(undefined),
  });
};

const astray = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'),
  path: fc.oneof(
    fc.constantFrom('/v1', '/v1/', '/v1/pets', '/v1/pets/', '/v1/keys', '/v1/store/inventory', '/', '/nothing'),
    int64.map((id) => `/v1/pets/${id}`),
    urlText.map((part) => `/v1/${part}`),
  ),
  query: fc.oneof(fc.constant(''), urlText),
  headers,
  caller,
  body: oddBody,
});

export const requestsTo = (document: Json) => {
  const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([verb, operation]) => toOperation(document, path, verb, operation)),
  );
  return fc.oneof({ weight: 4, arbitrary: fc.oneof(...operations) }, { weight: 1, arbitrary: astray });
};

type AnyRequest = ReturnType<typeof requestsTo> extends fc.Arbitrary<infer Request> ? Request : never;

export const targetOf = ({ path, query }: AnyRequest): string => `${path}${query && `?${query}`}`;

export const askOf = ({ method, headers, caller, body }: AnyRequest, reader: string): Ask => {
  const sent: Ask = { headers: { ...headers } };
  if (caller === 'reader') sent.key = reader;
  if (caller === 'nobody') sent.key = null;
  if (typeof caller === 'object') sent.headers = { ...sent.headers, Authorization: caller.header };
  if (body !== undefined && method !== 'GET' && method !== 'HEAD') sent.body = body;
  return sent;
};
