import { CONTRACTS, createSent, TAGS } from '../../src/contracts.ts';
import { mediaTypesOf } from '../../src/http/input/read-body.ts';
import type { Contract, Environment } from '../../src/kernel/contract.ts';
import { VERSION } from '../../src/version.ts';
import { errorBody, problemBody } from './error-bodies.ts';
import { leaveOutExamples } from './examples.ts';
import { parametersOf } from './parameters.ts';
import { headerComponents, refusalSchemas, responsesOf } from './responses.ts';
import { createSchemas, type Json, type SchemaOf } from './schemas.ts';
import { type Part, shareParts } from './sharing.ts';
import { DELIVERY_ANSWERS, DELIVERY_HEADERS, DELIVERY_TAG, webhooksOf } from './webhooks.ts';

const notesOf = ({ scope, stability }: Contract): string[] => [
  scope === 'any key' ? 'Requires any valid key.' : `Requires a key with the \`${scope}\` scope.`,
  ...(stability ? [`Stability: ${stability}.`] : []),
];

const deprecationOf = ({ deprecation }: Contract): Json => {
  if (!deprecation) return {};
  const sunset = deprecation.sunset.toISOString().slice(0, 10);
  return { deprecated: true, 'x-deprecated-sunset': sunset, 'x-sunset': sunset };
};

const requestBodyOf = (contract: Contract, schemaOf: SchemaOf): Json => {
  const { body, optionalBody = false } = contract.input;
  if (!body) return {};
  const [example] = (body.meta()?.examples ?? []) as unknown[];
  const content = mediaTypesOf(contract).map((type) => [type, { schema: schemaOf(body), example }]);
  return { requestBody: { required: !optionalBody, content: Object.fromEntries(content) } };
};

const operationOf = (contract: Contract, schemaOf: SchemaOf): Json => ({
  operationId: contract.id,
  tags: [contract.tag],
  summary: contract.summary,
  description: [contract.description, ...notesOf(contract)].join('\n\n'),
  ...deprecationOf(contract),
  ...(contract.stability ? { 'x-stability': contract.stability } : {}),
  'x-scope': contract.scope,
  ...(contract.scope === 'any key' ? {} : { security: [{ apiKey: [contract.scope] }] }),
  ...requestBodyOf(contract, schemaOf),
});

const DESCRIPTION = `A JSON over HTTP interface to a pet store's catalogue of animals.

Every request carries an API key: \`Authorization: Bearer <API_KEY>\`. Every response has its own id (\`X-Request-Id\`) and
shows how many requests are left. \`RateLimit\` shows both limits, per minute and per day; \`X-RateLimit-*\` shows only the one
with fewer requests left.

An error has a stable \`code\` and a \`message\` that says what to fix. With \`Accept: application/problem+json\`, errors are
problem details (RFC 9457) instead.

\`int64\` integers can exceed 2^53, above which JavaScript numbers are no longer exact.

**Stability.** \`/v1\` changes only by addition: new fields, headers, event types and error codes may appear, and clients must
ignore any that they do not know. An operation without a stability marker stays for as long as \`/v1\` is served. A \`beta\`
operation is new and may be replaced by a better one; if so, it is deprecated first, and \`Sunset\` shows when it will be removed. An
\`experimental\` operation may change or disappear with any release.`;

const INFO = {
  title: 'Pet Store',
  summary: 'Pets, orders, events and webhooks for a pet store.',
  description: DESCRIPTION,
  contact: { name: 'The operator of this service' },
  license: { name: 'MIT', identifier: 'MIT' },
};

const serverOf = (environment: Environment, keys: string, note: string) => ({
  url: `{${environment}Url}/v1`,
  description: `The ${environment} service, for keys that start with \`${keys}\`.`,
  variables: {
    [`${environment}Url`]: { default: 'http://127.0.0.1:8080', description: `Address of the service. ${note}` },
  },
});

const SERVERS = [
  { url: '/v1', description: 'The service that provides this document.' },
  serverOf('production', 'ps_live_', 'The default is the address of `petstore serve`.'),
  serverOf('staging', 'ps_test_', 'The default is the address of `petstore serve --demo`.'),
];

const byName = (parts: Json): Json => Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));

const mapValues = (parts: Record<string, Part>, place: (part: Part) => Json): Json =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, place(part)]));

export const createOpenapi = () => {
  const sent = createSent();
  const { named, schemaOf } = createSchemas();
  for (const body of [errorBody, problemBody]) schemaOf(body);
  const described = CONTRACTS.map((contract) => ({
    contract,
    parameters: parametersOf(contract, schemaOf),
    responses: responsesOf(contract, schemaOf),
  }));
  const deliveries = Object.keys(sent);
  const parameters = shareParts('parameters', [
    ...described.flatMap((each) => each.parameters),
    ...deliveries.flatMap(() => DELIVERY_HEADERS),
  ]);
  const responses = shareParts('responses', [
    ...described.flatMap((each) => Object.values(each.responses)),
    ...deliveries.flatMap(() => Object.values(DELIVERY_ANSWERS)),
  ]);
  const paths: Record<string, Json> = {};
  for (const { contract, ...parts } of described) {
    paths[contract.path] ??= {};
    Object.assign(paths[contract.path] as Json, {
      [contract.method.toLowerCase()]: {
        ...operationOf(contract, schemaOf),
        parameters: parts.parameters.map(parameters.place),
        responses: mapValues(parts.responses, responses.place),
      },
    });
  }
  return {
    openapi: '3.1.1',
    info: { ...INFO, version: VERSION },
    servers: SERVERS,
    security: [{ apiKey: [] as string[] }],
    tags: [...TAGS, DELIVERY_TAG],
    externalDocs: { url: '/docs', description: 'The reference, with guides and requests to try.' },
    paths,
    webhooks: webhooksOf(sent, { schemaOf, parameter: parameters.place, response: responses.place }),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            "An API key with the scope in the operation's `security`. The operation's description and `x-scope` also name the scope.",
        },
      },
      parameters: parameters.components,
      headers: headerComponents(),
      responses: responses.components,
      schemas: byName(leaveOutExamples({ ...named(), ...refusalSchemas(CONTRACTS) })),
    },
  };
};
