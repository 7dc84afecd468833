import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Ajv2020 } from 'ajv/dist/2020';
import { EVENT_TYPES } from '../src/kernel/event.ts';
import { followPages } from './follow-pages.ts';
import { joinParts } from './resolve-reference.ts';
import { createShop } from './shop.ts';
import { waitFor } from './wait-for.ts';
import { startWebhookBench } from './webhook-bench.ts';
import { refuse } from './webhook-receiver.ts';

type Json = Record<string, any>;

const LARGEST = 9223372036854775807n;
const HOLD_MS = 3_600_000;

let bench: Awaited<ReturnType<typeof startWebhookBench>>;
let document: Json;

const patch = (path: string, body: unknown) => bench.service.call('PATCH', `/v1${path}`, { body });
const post = (path: string, body?: unknown) => bench.service.call('POST', `/v1${path}`, { body });
const remove = (path: string) => bench.service.call('DELETE', `/v1${path}`);

const rows = async (path: string): Promise<Json[]> =>
  (await followPages(bench.service, `/v1${path}`)).flatMap(({ text }) => JSON.parse(text));

const changePets = async () => {
  const shop = createShop(bench.service);
  const petId = await shop.addPet();
  await patch(`/pets/${petId}`, `{"name":"Łatek","categoryId":${LARGEST}}`);
  await patch(`/pets/${petId}`, { status: 'pending' });
  await remove(`/pets/${petId}`);
  for (const verbs of [['approve', 'deliver'], ['cancel'], []]) {
    const { orderId } = await shop.placed();
    for (const verb of verbs) await shop.move(orderId, verb);
  }
  bench.clock.advance(HOLD_MS);
  await bench.service.runJobs();
  const { body } = await post('/categories', { name: 'Hedgehogs' });
  await patch(`/categories/${body.id}`, { name: 'Hedgehogs and shrews' });
  await remove(`/categories/${body.id}`);
  return petId;
};

const changeKeys = async () => {
  const limits = { perMinute: 1, perDay: 1 };
  const { body } = await post('/keys', { name: 'Front desk', plan: 'enterprise', limits, storeId: 1 });
  for (let sent = 0; sent < 3; sent += 1) await bench.service.get('/v1/pets', { key: body.key });
  await waitFor(
    'the ban has an event',
    () => rows('/events?type=key.banned'),
    ({ length }) => length > 0,
  );
  await post(`/keys/${body.id}/unban`);
  await patch(`/keys/${body.id}`, { plan: 'pro' });
  await post(`/keys/${body.id}/rotate`);
  await remove(`/keys/${body.id}`);
};

const changeWebhooks = async () => {
  const { id } = await bench.add();
  const { body: other } = await post('/keys', { name: 'Hooks', plan: 'pro', storeId: 1 });
  await patch(`/webhooks/${id}`, { events: ['pet.created'] });
  await patch(`/webhooks/${id}`, { keyId: other.id });
  await post(`/webhooks/${id}/rotate-secret`);
  bench.receiver.respond(() => refuse(410));
  await post(`/webhooks/${id}/test`);
  await waitFor(
    'the webhook is disabled',
    () => bench.webhook(id),
    ({ enabled }) => !enabled,
  );
  await remove(`/webhooks/${id}`);
};

let petId: number;
beforeAll(async () => {
  bench = await startWebhookBench();
  document = (await bench.service.get('/openapi.json', { key: null })).body;
  petId = await changePets();
  await changeKeys();
  await changeWebhooks();
});
afterAll(() => bench.stop());

const closed = (value: unknown): any => {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const whole = joinParts(document, value);
  const inner = Object.fromEntries(Object.entries(whole).map(([name, part]) => [name, closed(part)]));
  return inner.type === 'object' && inner.properties ? { ...inner, additionalProperties: false } : inner;
};

const faultsOf = () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', components: { schemas: closed(document.components.schemas) } });
  return (pointer: string, value: unknown): string =>
    ajv.validate(`document${pointer}`, value) ? '' : `${JSON.stringify(value)}: ${ajv.errorsText(ajv.errors)}`;
};

describe('the OpenAPI document', () => {
  test('describes every field of every event type', async () => {
    const faults = faultsOf();
    const { mapping } = document.components.schemas.Event.discriminator;
    const events = await rows('/events?limit=100');
    expect([...new Set(events.map(({ type }) => type))].sort()).toEqual([...EVENT_TYPES].sort());
    for (const event of events) {
      expect(faults(mapping[event.type], event)).toBe('');
      expect(faults('#/components/schemas/Event', event)).toBe('');
    }
  });

  test('describes every entry of the audit trail', async () => {
    const faults = faultsOf();
    const entries = await rows('/audit?limit=100');
    const { type } = document.components.schemas.AuditEntry.properties;
    expect([...new Set(entries.map((entry) => entry.type))].sort()).toEqual(type.enum.toSorted());
    for (const entry of entries) expect(faults('#/components/schemas/AuditEntry', entry)).toBe('');
  });

  test('describes every change of a pet, with the type of each field', async () => {
    const faults = faultsOf();
    const entries = await rows(`/pets/${petId}/history`);
    expect(entries.map(({ type }) => type)).toEqual([
      'pet.created',
      'pet.updated',
      'pet.status_changed',
      'pet.deleted',
    ]);
    for (const entry of entries) expect(faults('#/components/schemas/HistoryEntry', entry)).toBe('');
    const { from, to } = document.components.schemas.PetCategoryChange.properties;
    for (const value of [from, to]) expect(value).toMatchObject({ type: ['integer', 'null'], format: 'int64' });
  });
});
