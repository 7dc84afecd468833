import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { type Instance, type Instances, startInstances } from '../test/instances.ts';
import { serverOfRun } from '../test/needs.ts';
import { POSTGRES_SERVER } from '../test/postgres-database.ts';
import { waitFor } from '../test/wait-for.ts';
import { proof } from './proof.ts';

const WITHIN_MS = 1000;

const REDIS_SERVER = serverOfRun('TEST_REDIS_URL');
const PLACES: [string, Record<string, string>][] = [['in the database', {}]];
if (REDIS_SERVER) PLACES.push(['in Redis', { REDIS_URL: REDIS_SERVER }]);

type Key = { id: string; key: string };

describe.skipIf(!POSTGRES_SERVER).each(PLACES)('two instances with limits kept %s', (place, environment) => {
  let running: Instances;
  let here: Instance;
  let there: Instance;
  beforeAll(async () => {
    running = await startInstances({ count: 2, environment });
    [here, there] = running.instances as [Instance, Instance];
  });
  afterAll(() => running?.stop());

  const seeThere = (key: string) => there.call('GET', '/v1/pets', { key });
  const askOften = async ({ key }: Key) => {
    for (let sent = 0; sent < 10; sent += 1) await here.call('GET', '/v1/pets', { key });
  };

  const changes: [string, object, (key: Key) => Promise<unknown>, (key: string) => Promise<boolean>][] = [
    [
      'a revocation',
      {},
      ({ id }) => here.call('DELETE', `/v1/keys/${id}`),
      async (key) => (await seeThere(key)).status === 401,
    ],
    [
      'a rotation',
      {},
      ({ id }) => here.call('POST', `/v1/keys/${id}/rotate`, { body: {} }),
      async (key) => (await seeThere(key)).status === 401,
    ],
    [
      'a change of plan',
      { plan: 'free' },
      ({ id }) => here.call('PATCH', `/v1/keys/${id}`, { body: { plan: 'pro' } }),
      async (key) => (await seeThere(key)).headers.get('x-ratelimit-limit') === '300',
    ],
    [
      'a ban',
      { plan: 'enterprise', limits: { perMinute: 5, perDay: 1000 } },
      askOften,
      async (key) => (await seeThere(key)).body?.code === 'api_key_banned',
    ],
  ];

  for (const [what, fields, change, holds] of changes) {
    proof(`${what} on one instance takes effect on another, with limits kept ${place}`, async ({ time }) => {
      const key = await running.issueKey(fields);
      expect((await seeThere(key.key)).status).toBe(200);
      await change(key);
      const changedAt = performance.now();
      await waitFor('it takes effect on the other', () => holds(key.key));
      time('took effect after', performance.now() - changedAt, WITHIN_MS);
    });
  }
});
