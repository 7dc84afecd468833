import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { followStream } from '../../../test/event-stream.ts';
import { expectError } from '../../../test/expect-answer.ts';
import { sampleKey } from '../../../test/sample-key.ts';
import { ADMIN_KEY, type Service, startService } from '../../../test/service.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import { createMemoryLimiter } from '../../limits/limiter.memory.ts';
import { createLocalArrivals } from '../../streaming/arrivals.ts';
import { createHub } from '../../streaming/hub.ts';
import { createStreamQueue } from '../../streaming/queue.ts';
import { createLocalKeyChanges, type KeyChanges } from '../keys/changes.ts';
import { streamEvents } from './stream-events.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const KEY = sampleKey(['events:read']);

type Ask = Parameters<typeof followStream> extends [unknown, ...infer Rest] ? Rest : never;

const follow = (...ask: Ask) => followStream(service, ...ask);

const createPets = (count: number, key = ADMIN_KEY) =>
  Promise.all(Array.from({ length: count }, () => service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key })));

const newStore = async (storeId: number, fields: object = {}) =>
  service.issueKey({ storeId, scopes: ['pets:read', 'pets:write', 'events:read'], ...fields });

describe('streamEvents', () => {
  test('starts with the next event, and sends it immediately', async () => {
    await createPets(1);
    const { answer, seen, ended } = await follow(ADMIN_KEY, (events) => events.length === 2);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    await createPets(2);
    await ended;
    expect(seen.map(({ type }) => type)).toEqual(['pet.created', 'pet.created']);
    expect(seen[1]?.id).toBe((seen[0]?.id ?? 0) + 1);
  });

  test('resumes after Last-Event-ID without a gap', async () => {
    const key = await newStore(50);
    await createPets(5, key);
    const { seen, ended } = await follow(key, (events) => events.at(-1)?.id === 6, 2);
    await ended;
    expect(seen.map(({ id }) => id)).toEqual([3, 4, 5, 6]);
  });

  test('resumes after an event by its own id', async () => {
    const key = await newStore(61);
    await createPets(5, key);
    const { body: events } = await service.get('/v1/events', { key });
    const { seen, ended } = await follow(key, (seen) => seen.at(-1)?.id === 6, events[2].id);
    await ended;
    expect(seen.map(({ id }) => id)).toEqual([5, 6]);
  });

  test('refuses event ids from another store', async () => {
    const [key, other] = [await newStore(62), await newStore(63)];
    await createPets(1, other);
    const { body: events } = await service.get('/v1/events', { key: other });
    const headers = { 'Last-Event-ID': events[0].id };
    expectError(await service.get('/v1/events/stream', { key, headers }), 'invalid_cursor', 400);
  });

  test.each(['-1', '999', 'evt_1', `evt_${'x'.repeat(24)}`, '1.5', '007'])(
    'refuses the unknown Last-Event-ID %s',
    async (id) => {
      const key = await newStore(51);
      const { status, body } = await service.get('/v1/events/stream', { key, headers: { 'Last-Event-ID': id } });
      expect(status).toBe(400);
      expect(body.code).toBe('invalid_cursor');
    },
  );

  test('shows key events only with keys:write', async () => {
    const plain = await newStore(53);
    const operator = await newStore(53, { scopes: ['pets:write', 'events:read', 'keys:write'] });
    await createPets(1, plain);
    const seenBy = async (key: string) => {
      const { seen, ended } = await follow(key, (events) => events.at(-1)?.type === 'pet.created', 0);
      await ended;
      return seen.map(({ type }) => type);
    };
    expect(await seenBy(plain)).toEqual(['pet.created']);
    expect(await seenBy(operator)).toEqual(['key.created', 'key.created', 'pet.created']);
  });

  test('ends when the key is revoked', async () => {
    const { body } = await service.post('/v1/keys', { name: 'x', plan: 'free', storeId: 54, scopes: ['events:read'] });
    const { ended } = await follow(body.key, () => false);
    await service.call('DELETE', `/v1/keys/${body.id}`);
    await ended;
  });

  test('ends when the key expires', async () => {
    const key = await newStore(59, { expiresAt: new Date(service.clock() + 200).toISOString() });
    const { answer, ended } = await follow(key, () => false);
    expect(answer.status).toBe(200);
    await ended;
  });

  test('ends when the grace period of the secret that opened it ends', async () => {
    const { body } = await service.post('/v1/keys', { name: 'x', plan: 'free', storeId: 60, scopes: ['events:read'] });
    await service.post(`/v1/keys/${body.id}/rotate`, { graceSeconds: 1 });
    const { answer, ended } = await follow(body.key, () => false);
    expect(answer.status).toBe(200);
    await ended;
  });

  test('ends when the key is banned', async () => {
    const key = await newStore(55, { plan: 'enterprise', limits: { perMinute: 2, perDay: 100 } });
    const { ended } = await follow(key, () => false);
    for (let asked = 0; asked < 4; asked += 1) await service.get('/v1/pets', { key });
    await ended;
  });

  test('costs one request', async () => {
    const key = await newStore(56, { plan: 'free' });
    const { answer, ended } = await follow(key, (events) => events.length === 1);
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('59');
    await createPets(1, key);
    const { headers } = await service.get('/v1/pets', { key });
    expect(headers.get('x-ratelimit-remaining')).toBe('57');
    await ended;
  });

  test('moves past events that its reader may not see', async () => {
    const key = await newStore(58);
    const { seen, ended } = await follow(key, (events) => events.length === 2);
    await createPets(1, key);
    for (let issued = 0; issued < 3; issued += 1) await newStore(58);
    await createPets(1, key);
    await ended;
    expect(seen.map(({ id }) => id)).toEqual([2, 6]);
  });
});

describe('a stream that is opening', () => {
  let files: TestDatabase;
  beforeAll(async () => {
    files = openTestDatabase();
    await files.database.write(SYSTEM_CALL, (repositories) => repositories.keys.insert(KEY, new Uint8Array(32)));
  });
  afterAll(() => files.close());

  const openWhile = async (happens: (keyChanges: KeyChanges) => Promise<void>, isStopping = false) => {
    const keyChanges = createLocalKeyChanges();
    const hub = createHub(10);
    const { events, keys } = files.database.read(1n);
    const range = async () => {
      await happens(keyChanges);
      return events.range();
    };
    const opening = streamEvents.run(
      { events: { ...events, range }, keys },
      {},
      { ...SYSTEM_CALL, keyId: KEY.id },
      {
        arrivals: createLocalArrivals(),
        keyChanges,
        onStop: (listener) => {
          if (isStopping) listener();
          return () => undefined;
        },
        clock: Date.now,
        elapsed: Date.now,
        limiter: createMemoryLimiter({
          clock: Date.now,
          tallies: new Map(),
          saveWindows: async () => undefined,
          saveBan: async () => undefined,
        }),
        streamQueue: createStreamQueue({ log: { warn: () => undefined } }),
        hub,
      },
    );
    return { opening, hub };
  };

  test('does not count against the limit if it fails', async () => {
    const { opening, hub } = await openWhile(async () => {
      throw new Error('the database is away');
    });
    await expect(opening).rejects.toThrow('the database is away');
    expect(hub.count()).toBe(0);
  });

  test('ends immediately if the service is stopping, with a retry line', async () => {
    const { opening, hub } = await openWhile(async () => undefined, true);
    const { stream } = await opening;
    expect(await new Response(stream).text()).toMatch(/^: hello\n\n: the service is stopping\nretry: \d+\n\n$/);
    expect(hub.count()).toBe(0);
  });

  test('ends immediately if the key is revoked in the meantime', async () => {
    const { opening, hub } = await openWhile(async (keyChanges) => {
      await files.database.write(SYSTEM_CALL, (repositories) => repositories.keys.update({ ...KEY, revokedAt: 2 }));
      keyChanges.publish(KEY.id);
    });
    const { stream } = await opening;
    expect(await new Response(stream).text()).toBe(': hello\n\n');
    expect(hub.count()).toBe(0);
  });

  test('is refused if the key has already been revoked', async () => {
    await files.database.write(SYSTEM_CALL, (repositories) => repositories.keys.update({ ...KEY, revokedAt: 2 }));
    const { opening, hub } = await openWhile(async () => undefined);
    await expect(opening).rejects.toMatchObject({ code: 'invalid_api_key' });
    expect(hub.count()).toBe(0);
  });
});
