import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN_KEY } from '../admin-key.ts';
import { createCaller } from '../caller.ts';
import { readDocument } from '../documents.ts';
import { lacks } from '../needs.ts';
import { createWorkbench } from '../program.ts';
import { CLIENTS } from './clients.ts';
import { dependencies } from './package.json';
import { runCommand } from './run-command.ts';

const TIMEOUT_MS = 55 * 60_000;

const LARGEST = '9223372036854775807';
const PER_DAY = 10_000_000_000;

const bench = createWorkbench();
afterAll(bench.clear);

let service: ReturnType<typeof createCaller>;
beforeAll(async () => {
  const program = bench.start({ directory: bench.directory(), environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY } });
  const origin = await program.origin();
  service = createCaller((path) => `${origin}${path}`);
});

const openStore = async (storeId: number): Promise<string> => {
  const key = await service.issueKey({
    storeId,
    plan: 'enterprise',
    limits: { perMinute: 6_000, perDay: PER_DAY },
    scopes: ['pets:read', 'pets:write', 'orders:write', 'events:read'],
  });
  const pet = await service.post('/v1/pets', `{"name":"Methuselah","categoryId":${LARGEST}}`, { key });
  const order = await service.post('/v1/store/orders', { petId: pet.body.id }, { key });
  expect(order.status).toBe(201);
  return key;
};

const expectedView = (largest: string) => ({
  created: 'Rex 1 available',
  pets: [`Methuselah ${largest} pending`, 'Rex 1 available'],
  available: ['Rex 1 available'],
  found: 'Rex 1 available',
  requestsPerDay: String(PER_DAY),
  history: [
    'name: null to Methuselah',
    `categoryId: null to ${largest}`,
    'status: null to available',
    'status: available to pending',
  ],
  events: [
    `pet.created: Methuselah ${largest}`,
    'order.placed: placed',
    'pet.status_changed: available to pending',
    'pet.created: Rex 1',
  ],
  refused: '404 not_found',
});

describe('a client generated from the OpenAPI document compiles and works with only an address and a key', () => {
  for (const [index, { name, needs, readNumber, make }] of CLIENTS.entries()) {
    test.skipIf(needs.some(lacks))(
      `in ${name}`,
      async () => {
        const directory = bench.directory();
        writeFileSync(join(directory, 'openapi.json'), (await service.get('/openapi.json')).text);
        const tour = await make(directory);
        const response = await runCommand({
          ...tour,
          environment: {
            ...tour.environment,
            PETSTORE_URL: service.url('/v1'),
            PETSTORE_API_KEY: await openStore(index + 2),
          },
        });
        expect(JSON.parse(response)).toEqual(expectedView(readNumber(LARGEST)));
      },
      TIMEOUT_MS,
    );
  }
});

test('the page about generated clients names the tested versions of the generators', () => {
  const page = readDocument('docs/generated-clients.md');
  const [, ofOthers = ''] =
    /^openapi-generator-cli==(.*)$/m.exec(readDocument('test/generated-clients/requirements.txt')) ?? [];
  const { typescript: _, ...generators } = dependencies;
  for (const [name, version] of Object.entries({ ...generators, 'openapi-generator': ofOthers })) {
    expect(page).toContain(`${name} ${version.replace(/\.\d+$/, '')}`);
  }
});
