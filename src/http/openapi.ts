import { z } from 'zod';
import type { Contract } from '../kernel/contract.ts';
import { FAILURES, type FailureCode } from '../kernel/failure.ts';
import { PAGE_PARAMETERS } from '../kernel/page.ts';
import { ANSWER_HEADERS, HEADERS } from './answer-headers.ts';
import { failuresOf } from './contract-failures.ts';
import { mediaTypesOf } from './media-types.ts';
import { problemBody } from './problem.ts';

type Json = Record<string, unknown>;
type Tag = { name: string; description: string };
/** The messages that the service sends by itself: one of each type, all of one form. */
type Sent = { types: readonly string[]; body: z.ZodType };
type Options = {
  contracts: readonly Contract[];
  tags: readonly Tag[];
  sent: Sent;
  version: string;
};

const errorBody = z
  .object({
    code: z.string().meta({ description: 'Machine-readable error code.' }),
    message: z.string().meta({ description: 'Human-readable description.' }),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status code.' }),
  })
  .meta({ id: 'Error', description: 'Why a request was refused, and what to change.' });

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

/** Mends what zod derives from how a value is read: what is published is the value itself. */
const asPublished: Override = ({ zodSchema, jsonSchema }) => {
  const { examples, default: standard } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples !== undefined) jsonSchema.examples = examples as unknown[];
  if (standard !== undefined) jsonSchema.default = standard as typeof jsonSchema.default;
  if (jsonSchema.type === 'integer' || jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.type === 'integer' && jsonSchema.minimum === undefined) delete jsonSchema.maximum;
  const [value, other, ...rest] = jsonSchema.anyOf ?? [];
  if (value?.type && other?.type === 'null' && rest.length === 0) {
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, value, { type: [value.type, 'null'] });
  }
};

/** Collects the named schemas that the document's parts refer to. */
const createSchemas = () => {
  const schemas: Json = {};
  const relocate = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));

  const schemaOf = (schema: z.ZodType): unknown => {
    // As a property, a schema with an id becomes a reference, whereas at the root it would be written out.
    const { properties, $defs } = z.toJSONSchema(z.object({ it: schema }), {
      io: 'input',
      unrepresentable: 'any',
      override: asPublished,
    });
    Object.assign(schemas, relocate($defs ?? {}));
    return relocate(properties?.it);
  };
  return { schemas, schemaOf };
};

const parametersOf = (contract: Contract, schemaOf: (schema: z.ZodType) => unknown): Json[] => {
  const parameter = (place: string) => (entry: [string, z.ZodType]) => {
    const [name, schema] = entry;
    const { description, ...rest } = { ...(schemaOf(schema) as Json) };
    const list = rest.type === 'array' ? { style: 'form', explode: false } : {};
    const told = description ?? schema.meta()?.description;
    return {
      name,
      in: place,
      required: place === 'path',
      ...(told ? { description: told } : {}),
      ...list,
      schema: rest,
    };
  };
  const query = { ...contract.input.query, ...(contract.paged ? PAGE_PARAMETERS : {}) };
  const hasEtag = contract.method === 'GET' && contract.answer.headers?.includes('ETag');
  return [
    ...Object.entries(contract.input.path ?? {}).map(parameter('path')),
    ...Object.entries(query).map(parameter('query')),
    ...(hasEtag ? [ref('parameters', 'If-None-Match') as Json] : []),
    ...(contract.guarded ? [ref('parameters', 'If-Match') as Json] : []),
    ...(contract.stream ? [ref('parameters', 'Last-Event-ID') as Json] : []),
    ...(contract.method === 'POST' ? [ref('parameters', 'Idempotency-Key') as Json] : []),
  ];
};

const contentOf = (mediaTypes: readonly string[], schema: unknown): Json =>
  Object.fromEntries(mediaTypes.map((type) => [type, { schema }]));

const headersOf = (names: readonly string[]): Json =>
  Object.fromEntries([...ANSWER_HEADERS, ...names].map((name) => [name, ref('headers', name)]));

const refusalsOf = (contract: Contract): [string, Json][] => {
  const byStatus = Map.groupBy(failuresOf(contract), (code) => FAILURES[code].status);
  const headersBy: Record<number, string[]> = { 401: ['WWW-Authenticate'], 429: ['Retry-After'], 503: ['Retry-After'] };
  const deprecation = contract.deprecation ? ['Deprecation', 'Sunset', 'Link'] : [];
  const example = (code: FailureCode) => {
    const { status, meaning } = FAILURES[code];
    return [code, { value: { code, message: meaning, status } }];
  };
  return [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes.map((code) => `\`${code}\`: ${FAILURES[code].meaning}`).join(' '),
      headers: headersOf([...(headersBy[status] ?? []), ...deprecation]),
      content: {
        'application/json': { schema: ref('schemas', 'Error'), examples: Object.fromEntries(codes.map(example)) },
        'application/problem+json': { schema: ref('schemas', 'Problem') },
      },
    },
  ]);
};

const responsesOf = (contract: Contract, schemaOf: (schema: z.ZodType) => unknown): Json => {
  const { status, description, body, headers = [] } = contract.answer;
  const named: string[] = [...headers];
  if (contract.paged) named.push('Link');
  if (contract.method === 'POST') named.push('Idempotent-Replayed');
  if (contract.deprecation) named.push('Deprecation', 'Sunset', 'Link');
  const type = contract.stream ? 'text/event-stream' : 'application/json';
  const content = body && { content: { [type]: { schema: schemaOf(body) } } };
  const unchanged = contract.method === 'GET' && headers.includes('ETag');
  const answers: [string, Json][] = [[String(status), { description, headers: headersOf(named), ...content }]];
  if (unchanged)
    answers.push(['304', { description: 'The caller has this version already.', headers: headersOf(named) }]);
  return Object.fromEntries([...answers, ...refusalsOf(contract)].sort(([a], [b]) => Number(a) - Number(b)));
};

/** What a reader must know beside the contract's own words. */
const notesOf = ({ scope, stability }: Contract): string[] => [
  scope === 'any key' ? 'Needs any valid key.' : `Needs a key with the scope \`${scope}\`.`,
  ...(stability ? [`Stability: ${stability}.`] : []),
];

const operationOf = (contract: Contract, schemaOf: (schema: z.ZodType) => unknown): Json => ({
  operationId: contract.id,
  tags: [contract.tag],
  summary: contract.summary,
  description: [contract.description, ...notesOf(contract)].join('\n\n'),
  ...(contract.deprecation
    ? { deprecated: true, 'x-deprecated-sunset': contract.deprecation.sunset.toISOString().slice(0, 10) }
    : {}),
  ...(contract.stability ? { 'x-stability': contract.stability } : {}),
  'x-scope': contract.scope,
  parameters: parametersOf(contract, schemaOf),
  ...(contract.input.body
    ? {
        requestBody: {
          required: !contract.input.optionalBody,
          content: contentOf(mediaTypesOf(contract), schemaOf(contract.input.body)),
        },
      }
    : {}),
  responses: responsesOf(contract, schemaOf),
});

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

const webhooksOf = ({ types, body }: Sent, schemaOf: (schema: z.ZodType) => unknown): Json =>
  Object.fromEntries(
    types.map((type) => [
      type,
      {
        post: {
          summary: type,
          description: 'Sent to every webhook that asks for it, signed by Standard Webhooks 1.0.0.',
          parameters: SIGNED.map((name) => ({ name, in: 'header', required: true, schema: { type: 'string' } })),
          requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } },
          responses: {
            '2XX': { description: 'Taken. Anything else, and no answer within 15 seconds, is tried again later.' },
            '410': { description: 'The endpoint is gone: it is switched off.' },
          },
        },
      },
    ]),
  );

const DESCRIPTION = `A JSON over HTTP interface to a pet store's catalogue of animals.

Every request carries an API key: \`Authorization: Bearer <API_KEY>\`. Every answer says how many requests are left
(\`X-RateLimit-*\`, and both windows in \`RateLimit\`) and has an id of its own (\`X-Request-Id\`). A refusal is an
\`Error\` whose \`code\` is stable and whose \`message\` names what to change.`;

/** The OpenAPI 3.1 document, made of the same contracts that serve the requests. */
export const createDocument = ({ contracts, tags, sent, version }: Options): Json => {
  const { schemas, schemaOf } = createSchemas();
  schemaOf(errorBody);
  schemaOf(problemBody);
  const paths: Record<string, Json> = {};
  for (const contract of contracts) {
    paths[contract.path] = {
      ...paths[contract.path],
      [contract.method.toLowerCase()]: operationOf(contract, schemaOf),
    };
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Pet Store', version, description: DESCRIPTION },
    servers: [{ url: '/v1' }],
    security: [{ apiKey: [] }],
    tags: tags.filter(({ name }) => contracts.some(({ tag }) => tag === name)),
    paths,
    webhooks: webhooksOf(sent, schemaOf),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key.' } },
      parameters: {
        'Last-Event-ID': {
          name: 'Last-Event-ID',
          in: 'header',
          description:
            'The sequence or the id of the last event that arrived: the stream goes on behind it, without a gap.',
          schema: { type: 'string' },
        },
        'If-Match': {
          name: 'If-Match',
          in: 'header',
          description: 'The `ETag` of the version to change: if the row has moved on, the answer is 412.',
          schema: { type: 'string' },
        },
        'Idempotency-Key': {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'Makes a repeated request safe: the same key within 24 hours gives the first answer again.',
          schema: { type: 'string', minLength: 1, maxLength: 257 },
        },
        'If-None-Match': {
          name: 'If-None-Match',
          in: 'header',
          description: 'The `ETag` the caller has: if it still holds, the answer is 304 without a body.',
          schema: { type: 'string' },
        },
      },
      headers: HEADERS,
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
};
