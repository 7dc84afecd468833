import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Instance, type Instances, startInstances } from './instances.ts';
import { serverOfRun } from './needs.ts';
import { POSTGRES_SERVER } from './postgres-database.ts';
import { until } from './program.ts';
import { startProxy } from './servers/proxy.ts';

/** Changes hold everywhere within so long; a change is timed from its answer on. */
const WITHIN_MS = 1000;

const REDIS_SERVER = serverOfRun('TEST_REDIS_URL');
const PLACES: [string, Record<string, string>][] = [['in the database', {}]];
if (REDIS_SERVER) PLACES.push(['in Redis', { REDIS_URL: REDIS_SERVER }]);

describe.skipIf(!POSTGRES_SERVER).each(PLACES)(
  'what is changed on one instance, with limits kept %s',
  (_, environment) => {
    let running: Instances;
    let here: Instance;
    let there: Instance;
    let proxy: Awaited<ReturnType<typeof startProxy>>;
    beforeAll(async () => {
      running = await startInstances({ count: 1, environment });
      const target = new URL(running.url);
      proxy = await startProxy(Number(target.port));
      target.port = String(proxy.port);
      here = running.instances[0] as Instance;
      // The way of the other one to the database can be cut.
      there = await running.start({ DATABASE_URL: target.href });
    });
    afterAll(async () => {
      await running?.stop();
      await proxy?.stop();
    });

    const known = async (fields: object = {}) => {
      const key = await running.issueKey(fields);
      expect((await there.call('GET', '/v1/pets', { key: key.key })).status).toBe(200);
      return key;
    };
    const statusThere = async (key: string) => (await there.call('GET', '/v1/pets', { key })).status;
    const limitThere = async (key: string) =>
      (await there.call('GET', '/v1/pets', { key })).headers.get('x-ratelimit-limit');

    test('a revocation, holds on the other within a second', async () => {
      const { id, key } = await known();
      await here.call('DELETE', `/v1/keys/${id}`);
      await until('the key opens nothing', async () => (await statusThere(key)) === 401 || undefined, WITHIN_MS);
    });

    test('a plan, holds on the other within a second', async () => {
      const { id, key } = await known({ plan: 'free' });
      expect(await limitThere(key)).toBe('60');
      await here.call('PATCH', `/v1/keys/${id}`, { body: { plan: 'pro' } });
      await until('the limit has changed', async () => (await limitThere(key)) === '300' || undefined, WITHIN_MS);
    });

    test('a ban, holds on the other within a second', async () => {
      const { key } = await known({ plan: 'enterprise', limits: { perMinute: 5, perDay: 1000 } });
      for (let count = 0; count < 10; count += 1) await here.call('GET', '/v1/pets', { key });
      const codeThere = async () => (await there.call('GET', '/v1/pets', { key })).body?.code;
      await until('the key is banned', async () => (await codeThere()) === 'api_key_banned' || undefined, WITHIN_MS);
    });

    test('a rotation, ends the old secret on the other within a second', async () => {
      const { id, key } = await known();
      await here.call('POST', `/v1/keys/${id}/rotate`, { body: {} });
      await until('the old secret opens nothing', async () => (await statusThere(key)) === 401 || undefined, WITHIN_MS);
    });

    test('a revocation, ends the streams of the key on the other within a second', async () => {
      const { id, key } = await known({ scopes: ['pets:read', 'events:read'] });
      const stream = await fetch(`${there.origin}/v1/events/stream`, { headers: { Authorization: `Bearer ${key}` } });
      const ended = stream.text();
      await here.call('DELETE', `/v1/keys/${id}`);
      const asked = performance.now();
      await ended;
      expect(performance.now() - asked).toBeLessThan(WITHIN_MS);
    });

    test('an animal, is told by the streams of the other within a second', async () => {
      const stream = await fetch(`${there.origin}/v1/events/stream`, {
        headers: { Authorization: `Bearer ${(await known({ scopes: ['pets:read', 'events:read'] })).key}` },
      });
      const reader = (stream.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
      await reader.read();
      await here.call('POST', '/v1/pets', { body: { name: 'Streamed', categoryId: 1 } });
      const asked = performance.now();
      for (let text = ''; !text.includes('Streamed'); ) text += (await reader.read()).value;
      expect(performance.now() - asked).toBeLessThan(WITHIN_MS);
      await reader.cancel();
    });

    test('a revocation, holds on one that had lost its connections as soon as it has them again', async () => {
      const { id, key } = await known();
      proxy.cut();
      await here.call('DELETE', `/v1/keys/${id}`);
      const asked = performance.now();
      await until('a second has passed', () => performance.now() - asked > WITHIN_MS || undefined);
      proxy.restore();
      const answers: number[] = [];
      await until(
        'the key opens nothing',
        async () => {
          answers.push(await statusThere(key));
          return answers.at(-1) === 401 || undefined;
        },
        5000,
      );
      expect(answers).not.toContain(200);
    });
  },
);
