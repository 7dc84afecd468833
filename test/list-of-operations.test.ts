import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { compose } from '../src/compose/compose.ts';
import { readConfig } from '../src/config.ts';
import { CONTRACTS, contractsIn } from '../src/contract.ts';
import type { Contract } from '../src/kernel/contract.ts';
import { createLog } from '../src/process/log.ts';
import { pathOf } from './operation-request.ts';
import { createTestClock, type Service, startService } from './service.ts';

const contracts = contractsIn('production');

/** What the interface itself shows; all else is an addition of ours. */
const INTERFACE = ['listPets', 'createPet', 'getPet'];

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** The paths below `/v1` that the app itself says it serves. */
const servedPaths = async (): Promise<string[]> => {
  const clock = createTestClock();
  const { app, close } = await compose(
    readConfig({ DATABASE_URL: `sqlite:${join(service.directory, 'another.db')}` }),
    { clock, randomBytes, log: createLog('silent', async () => undefined, clock) },
  );
  await close();
  return [...app.routes.keys()].filter((path) => path.startsWith('/v1'));
};

describe('the list of operations', () => {
  test('is what is served, neither more nor less', async () => {
    const promised = contracts.map(({ path }) => `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
    expect((await servedPaths()).sort()).toEqual([...new Set(promised)].sort());

    for (const [, sharing] of Map.groupBy(contracts, ({ path }) => path)) {
      const { headers } = await service.call('OPTIONS', pathOf(sharing[0] as Contract));
      const allowed = headers
        .get('allow')
        ?.split(', ')
        .filter((method) => !['HEAD', 'OPTIONS'].includes(method));
      expect(allowed?.sort()).toEqual(sharing.map(({ method }) => method).sort());
    }
  });

  test('is what the document describes, neither more nor less', async () => {
    const { body } = await service.get('/openapi.json', { key: null });
    const described = Object.entries<object>(body.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, 'x-scope': scope }]) => [method, path, operationId, scope]),
    );
    const promised = contracts.map(({ method, path, id, scope }) => [method.toLowerCase(), path, id, scope]);
    expect(described.sort()).toEqual(promised.sort());
  });

  test.each(INTERFACE)('has no stability marker on %s', (id) => {
    const contract = contracts.find((each) => each.id === id);
    expect([contract?.id, contract?.stability]).toEqual([id, undefined]);
  });

  const scopes: Record<string, string> = {
    listPets: 'pets:read',
    createPet: 'pets:write',
    getPet: 'pets:read',
    updatePet: 'pets:write',
    deletePet: 'pets:write',
    listPetHistory: 'pets:read',
    listCategories: 'pets:read',
    createCategory: 'categories:write',
    getCategory: 'pets:read',
    updateCategory: 'categories:write',
    listOrders: 'orders:read',
    placeOrder: 'orders:write',
    getOrder: 'orders:read',
    approveOrder: 'orders:write',
    deliverOrder: 'orders:write',
    cancelOrder: 'orders:write',
    getInventory: 'orders:read',
    createKey: 'keys:write',
    listKeys: 'keys:write',
    getMyKey: 'any key',
    getKey: 'keys:write',
    updateKey: 'keys:write',
    revokeKey: 'keys:write',
    rotateKey: 'keys:write',
    getUsage: 'any key',
    getKeyUsage: 'ops:read',
    listDeprecations: 'ops:read',
    listAudit: 'ops:read',
    resetSandbox: 'pets:write',
    listEvents: 'events:read',
    streamEvents: 'events:read',
    listWebhooks: 'webhooks:write',
    createWebhook: 'webhooks:write',
    getWebhook: 'webhooks:write',
    updateWebhook: 'webhooks:write',
    deleteWebhook: 'webhooks:write',
    testWebhook: 'webhooks:write',
    rotateWebhookSecret: 'webhooks:write',
    listDeliveries: 'webhooks:write',
    redeliverEvent: 'webhooks:write',
  };
  test.each(Object.entries(scopes))('lets %s be called with %s', (id, scope) => {
    expect(CONTRACTS.find((each) => each.id === id)?.scope as string).toBe(scope);
  });

  test('has a scope pinned here for every operation', () => {
    expect(Object.keys(scopes).sort()).toEqual(CONTRACTS.map(({ id }) => id as string).sort());
  });

  const added = (CONTRACTS as readonly Contract[]).filter(({ id }) => !INTERFACE.includes(id));
  test.each(added.map(({ id, stability }) => ({ id, stability })))('marks $id as beta', ({ stability }) => {
    expect(stability).toBe('beta');
  });

  test('names each operation and each command once', () => {
    for (const names of [contracts.map(({ id }) => id), contracts.map(({ command }) => command)]) {
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
