import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { goodName, int64, MAX_INT64, MIN_INT64, petStatus, petText, textOf } from './arbitrary-bodies.ts';
import { askOf, requestsTo, targetOf } from './arbitrary-requests.ts';
import { dereference } from './dereference.ts';
import { createDescription } from './described-answer.ts';
import { PROPERTY_TIMEOUT_MS, runs } from './property-runs.ts';
import { type Ask, type Service, startService } from './service.ts';

let service: Service;
let document: Record<string, any>;
let description: ReturnType<typeof createDescription>;
let reader: string;
beforeAll(async () => {
  service = await startService();
  document = (await service.get('/openapi.json', { key: null })).body;
  description = createDescription(document);
  const limits = { perMinute: 100_000, perDay: 10_000_000 };
  reader = await service.issueKey({ plan: 'enterprise', limits, scopes: ['pets:read'] });
  for (let made = 0; made < 30; made++) await service.post('/v1/pets', { name: 'Rex', categoryId: made % 3 });
});
afterAll(() => service.stop());

const ask = async (method: string, target: string, options: Ask = {}) => {
  service.clock.advance(1_000);
  const response = await service.call(method, target, options);
  expect(response.status).toBeLessThan(500);
  description.expectDescribed(method, new URL(service.url(target)).pathname, response);
  return response;
};

test(
  'every response matches the OpenAPI document',
  async () => {
    const seen = new Set<string>();
    const described = fc.asyncProperty(requestsTo(dereference(document)), async (request) => {
      const { status } = await ask(request.method, targetOf(request), askOf(request, reader));
      seen.add(`${request.method} ${status}`);
    });
    await fc.assert(described, runs(0.6));
    for (const met of ['GET 200', 'GET 400', 'GET 401', 'GET 404', 'POST 201', 'POST 400', 'POST 415']) {
      expect(seen).toContain(met);
    }
  },
  PROPERTY_TIMEOUT_MS,
);

const isPet = (text: string): boolean => {
  const value = JSON.parse(text);
  if (description.faultsOf('NewPet', value) !== '') return false;
  const digits = /"categoryId":(-?\d+)[,}]/.exec(text)?.[1];
  const isInt64 = digits !== undefined && BigInt(digits) >= MIN_INT64 && BigInt(digits) <= MAX_INT64;
  return value.name.isWellFormed() && (isInt64 || Number.isSafeInteger(value.categoryId));
};

test(
  'a pet is accepted exactly if it matches the OpenAPI document',
  async () => {
    const decided = fc.asyncProperty(petText, async (body) => {
      const { status } = await ask('POST', '/v1/pets', { body });
      expect(status).toBe(isPet(body) ? 201 : 400);
    });
    await fc.assert(decided, runs(0.12));
  },
  PROPERTY_TIMEOUT_MS,
);

test(
  'a key is issued only if the request matches the OpenAPI document',
  async () => {
    const keyText = textOf(document, { $ref: '#/components/schemas/KeyCreation' });
    const decided = fc.asyncProperty(keyText, async (body) => {
      const { status } = await ask('POST', '/v1/keys', { body });
      expect([201, 400]).toContain(status);
      if (status === 201) expect(description.faultsOf('KeyCreation', JSON.parse(body))).toBe('');
    });
    await fc.assert(decided, runs(0.1));
  },
  PROPERTY_TIMEOUT_MS,
);

test(
  'a pet is returned exactly as it was sent',
  async () => {
    const kept = fc.asyncProperty(goodName, int64, petStatus, async (name, categoryId, status) => {
      const body = `{"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;
      const created = await ask('POST', '/v1/pets', { body });
      expect(created.status).toBe(201);
      const { id } = created.body;
      const shown = `{"id":${id},${body.slice(1)}`;
      expect(created.text).toBe(shown);
      expect((await ask('GET', `/v1/pets/${id}`)).text).toBe(shown);
      expect((await ask('GET', `/v1/pets?ids=${id}`)).text).toBe(`[${shown}]`);
      expect((await ask('GET', `/v1/pets?categoryId=${categoryId}&order=desc&limit=1`)).text).toBe(`[${shown}]`);
    });
    await fc.assert(kept, runs(0.14));
  },
  PROPERTY_TIMEOUT_MS,
);
