import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Instance, type Instances, startInstances } from './instances.ts';
import { serverOfRun } from './needs.ts';
import { POSTGRES_SERVER } from './postgres-database.ts';
import { startProxy } from './servers/proxy.ts';
import { waitFor } from './wait-for.ts';

const REDIS_SERVER = serverOfRun('TEST_REDIS_URL');
const PLACES: [string, Record<string, string>][] = [['in the database', {}]];
if (REDIS_SERVER) PLACES.push(['in Redis', { REDIS_URL: REDIS_SERVER }]);

describe.skipIf(!POSTGRES_SERVER).each(PLACES)(
  'two instances of one service, with their limits kept %s',
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

    test('a revocation takes effect on the other instance', async () => {
      const { id, key } = await known();
      await here.call('DELETE', `/v1/keys/${id}`);
      await waitFor('the key is refused', async () => (await statusThere(key)) === 401);
    });

    test('a change of plan takes effect on the other instance', async () => {
      const { id, key } = await known({ plan: 'free' });
      expect(await limitThere(key)).toBe('60');
      await here.call('PATCH', `/v1/keys/${id}`, { body: { plan: 'pro' } });
      await waitFor('the limit has changed', async () => (await limitThere(key)) === '300');
    });

    test('a ban takes effect on the other instance', async () => {
      const { key } = await known({ plan: 'enterprise', limits: { perMinute: 5, perDay: 1000 } });
      const isBanned = async (instance: typeof here) =>
        (await instance.call('GET', '/v1/pets', { key })).body?.code === 'api_key_banned';
      await waitFor('the key is banned', () => isBanned(here));
      await waitFor('the key is banned on the other instance', () => isBanned(there));
    });

    test('a lifted ban ends on the other instance', async () => {
      const { id, key } = await known({ plan: 'enterprise', limits: { perMinute: 5, perDay: 1000 } });
      await waitFor('the key is banned on this instance', async () => {
        const { body } = await here.call('GET', '/v1/pets', { key });
        return body.code === 'api_key_banned';
      });
      const bannedThere = async () => (await there.call('GET', `/v1/keys/${id}`)).body.bannedUntil;
      await waitFor('the other instance shows the ban', async () => (await bannedThere()) !== null);
      expect((await there.call('GET', '/v1/pets', { key })).body.code).toBe('api_key_banned');
      expect((await here.call('POST', `/v1/keys/${id}/unban`)).body.bannedUntil).toBeNull();
      await waitFor('the other instance no longer shows the ban', async () => (await bannedThere()) === null);
      for (const instance of [here, there]) {
        const { status, body } = await instance.call('GET', '/v1/pets', { key });
        expect(status === 200 || body.code === 'rate_limit_exceeded').toBeTrue();
      }
    });

    test('a rotation ends the old secret on the other instance', async () => {
      const { id, key } = await known();
      await here.call('POST', `/v1/keys/${id}/rotate`, { body: {} });
      await waitFor('the old secret is refused', async () => (await statusThere(key)) === 401);
    });

    test('a revocation ends the streams of the key on the other instance', async () => {
      const { id, key } = await known({ scopes: ['pets:read', 'events:read'] });
      const stream = await fetch(`${there.origin}/v1/events/stream`, { headers: { Authorization: `Bearer ${key}` } });
      const ended = stream.text();
      await here.call('DELETE', `/v1/keys/${id}`);
      await ended;
    });

    test('a new pet reaches the streams of the other instance', async () => {
      const { key } = await known({ scopes: ['pets:read', 'events:read'] });
      const [last] = (await there.call('GET', '/v1/events?order=desc&limit=1')).body;
      await here.call('POST', '/v1/pets', { body: { name: 'Streamed', categoryId: 1 } });
      const headers = { Authorization: `Bearer ${key}`, 'Last-Event-ID': `${last.sequence}` };
      await waitFor('the stream shows the pet', async () => {
        const stream = await fetch(`${there.origin}/v1/events/stream`, { headers });
        const reader = (stream.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
        let text = '';
        for (;;) {
          const { value, done } = await reader.read();
          text += value ?? '';
          if (!text.includes('Streamed') && !done) continue;
          await reader.cancel();
          return text.includes('Streamed');
        }
      });
    });

    test('a revocation takes effect on a disconnected instance as soon as it reconnects', async () => {
      const { id, key } = await known();
      proxy.cut();
      await here.call('DELETE', `/v1/keys/${id}`);
      const cutAt = performance.now();
      await waitFor('its cached keys have expired', () => performance.now() - cutAt > 1000);
      proxy.restore();
      const answers: number[] = [];
      await waitFor('the key is refused', async () => {
        answers.push(await statusThere(key));
        return answers.at(-1) === 401;
      });
      expect(answers).not.toContain(200);
    });
  },
);
