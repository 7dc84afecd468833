import { expect } from 'bun:test';
import { bodyBoundsOf } from '../src/http/input/read-body.ts';
import { type Contract, SCOPES, type Scope } from '../src/kernel/contract.ts';
import { PAGE_PARAMETERS } from '../src/kernel/page.ts';
import { expectError, expectSharedHeaders } from './expect-answer.ts';
import { askOnce, bytesOf, type Connection, chunked } from './raw-http.ts';
import { ADMIN_KEY, type Service, type TestResponse } from './service.ts';

export type OperationRequest = {
  method: string;
  pathValue: string | readonly string[];
  query: string;
  key: string | undefined;
  contentType: string;
  body: string | undefined;
  chunked: boolean;
  hosts: string[];
  accept: string | undefined;
};

export const queryNames = ({ input, paged }: Contract): string[] =>
  Object.keys({ ...input.query, ...(paged ? PAGE_PARAMETERS : {}) });

export const exampleBody = ({ input }: Contract): unknown => {
  const examples = input.body?.meta()?.examples as unknown[] | undefined;
  return examples?.[0];
};

const PATH_VALUES: Record<string, (service: Service) => Promise<string>> = {
  petId: async (service) => String((await service.post('/v1/pets', { name: 'Rex', categoryId: 1 })).body.id),
  categoryId: async (service) => String((await service.post('/v1/categories', { name: 'Rabbits' })).body.id),
  orderId: async (service) => String((await service.post('/v1/store/orders', await freshOrder(service))).body.id),
  webhookId: async (service) => {
    const webhooks = (await service.get('/v1/webhooks?limit=100')).body;
    if (webhooks.length === 100) await service.call('DELETE', `/v1/webhooks/${webhooks[0].id}`);
    // Uses an ordinary key, because only operators can see a webhook that was created with the admin key.
    const key = await service.issueKey({ scopes: ['webhooks:write', 'pets:read'] });
    return (await service.post('/v1/webhooks', { url: 'https://shop.example/hooks' }, { key })).body.id;
  },
  sequence: async (service) => {
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    return String((await service.get('/v1/events?type=pet.created&order=desc&limit=1')).body[0].sequence);
  },
  keyId: async (service) => (await service.post('/v1/keys', { name: 'test', plan: 'pro', storeId: 1 })).body.id,
};

const freshOrder = async (service: Service) => {
  const { body } = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  return { petId: body.id };
};

export const MORE_SCOPES: Record<string, readonly Scope[]> = { createWebhook: ['pets:read'] };

const BODIES: Record<string, (service: Service) => Promise<unknown>> = { placeOrder: freshOrder };

export const freshBody = async (service: Service, contract: Contract): Promise<string> =>
  JSON.stringify((await BODIES[contract.id]?.(service)) ?? exampleBody(contract));

export const freshPathValues = async (service: Service, { id, input }: Contract): Promise<string[]> => {
  const [name] = Object.keys(input.path ?? {});
  if (name === undefined) return [];
  if (id === 'redeliverEvent') {
    const webhookId = await PATH_VALUES.webhookId?.(service);
    const delivery = await service.call('POST', `/v1/webhooks/${webhookId}/test`);
    return [String(webhookId), delivery.body.id];
  }
  if (id === 'deliverOrder') {
    const orderId = await PATH_VALUES.orderId?.(service);
    await service.call('POST', `/v1/store/orders/${orderId}/approve`);
    return [String(orderId)];
  }
  const make = PATH_VALUES[name];
  if (!make) throw new Error(`add to PATH_VALUES how to create a ${name} for ${id}`);
  return [await make(service)];
};

const requestFor = (contract: Contract, body: string | undefined): Omit<OperationRequest, 'pathValue'> => ({
  method: contract.method,
  query: '',
  key: ADMIN_KEY,
  contentType: 'application/json',
  body,
  chunked: false,
  hosts: ['localhost'],
  accept: undefined,
});

export const pathOf = ({ path }: Contract, given: string | readonly string[] = []): string => {
  const values = [given].flat();
  const rest = [...values];
  return `/v1${path.replaceAll(/\{\w+\}/g, () => rest.shift() ?? values.at(-1) ?? '1')}`;
};

const encodeRequest = (path: string, request: Omit<OperationRequest, 'pathValue'>): Buffer => {
  const { method, query, key, contentType, body, hosts, accept } = request;
  const bodyHeaders =
    body === undefined
      ? []
      : [
          `Content-Type: ${contentType}`,
          request.chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${Buffer.byteLength(body)}`,
        ];
  const lines = [
    `${method} ${path}${query && `?${query}`} HTTP/1.1`,
    ...hosts.map((host) => `Host: ${host}`),
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...(accept === undefined ? [] : [`Accept: ${accept}`]),
    ...bodyHeaders,
  ];
  return bytesOf(`${lines.join('\r\n')}\r\n\r\n`, body === undefined ? '' : request.chunked ? chunked(body) : body);
};

export const overlongBody = (contract: Contract): string => 'x'.repeat(bodyBoundsOf(contract).bytes + 1);

export const issueKeyWithout = (service: Service, { scope }: Contract, perMinute = 1_000_000): Promise<string> =>
  service.issueKey({
    plan: 'enterprise',
    limits: { perMinute, perDay: 1_000_000 },
    scopes: SCOPES.filter((each) => each !== scope),
  });

export const askOperation = async (
  service: Service,
  contract: Contract,
  spoil: Partial<OperationRequest> = {},
  connection?: Connection,
): Promise<TestResponse> => {
  const values = spoil.pathValue === undefined ? await freshPathValues(service, contract) : spoil.pathValue;
  const body = contract.input.body && !('body' in spoil) ? await freshBody(service, contract) : undefined;
  const bytes = encodeRequest(pathOf(contract, values), { ...requestFor(contract, body), ...spoil });
  const answer = await (connection ? connection.ask(bytes) : askOnce(service.port, bytes));
  expectSharedHeaders(answer);
  const method = spoil.method === 'HEAD' ? 'GET' : (spoil.method ?? contract.method);
  const isDeprecated = contract.deprecation !== undefined && method === contract.method;
  for (const name of ['deprecation', 'sunset']) expect(answer.headers.has(name)).toBe(isDeprecated);
  const isRefused = answer.status >= 400 && spoil.method !== 'HEAD';
  if (isRefused && !spoil.accept) expectError(answer, answer.body?.code, answer.status);
  return answer;
};
