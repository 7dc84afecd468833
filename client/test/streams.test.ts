import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { waitFor } from '../../test/wait-for.ts';
import type { Event, Petstore, StreamOptions } from '../src/index.ts';
import { startPetstore } from './client.ts';
import type { Fault } from './faulty-proxy.ts';

let it: Awaited<ReturnType<typeof startPetstore>>;
let petstore: Petstore;
let added = 0;
beforeAll(async () => {
  it = await startPetstore();
  petstore = it.create();
  await add(3);
});
beforeEach(() => it.reset());
afterAll(() => it.stop());

/** Sends the requests directly to the service, because the proxy may be down. */
const add = async (count: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let at = 0; at < count; at += 1) {
    added += 1;
    ids.push((await it.service.post('/v1/pets', { name: `Pet ${added}`, categoryId: 1 })).body.id);
  }
  return ids;
};

const petOf = ({ data }: Event): number => (data as { object: { id: number } }).object.id;

const follow = (options: StreamOptions = {}, client = petstore) => {
  const controller = new AbortController();
  const seen: Event[] = [];
  const ended = (async () => {
    for await (const event of client.events.stream({ signal: controller.signal, ...options })) seen.push(event);
  })();
  ended.catch(() => undefined);
  return {
    seen,
    ended,
    until: (count: number) => waitFor(`${count} events`, () => seen.length >= count),
    stop: async () => {
      controller.abort();
      await ended;
    },
  };
};

const streams = () => it.proxy.seen.filter(({ path }) => path.includes('/events/stream'));
const opened = (count: number) => waitFor(`${count} streams`, () => streams().length >= count);

describe('a stream', () => {
  test('yields events from now on, and ends quietly when its signal aborts', async () => {
    const stream = follow();
    await opened(1);
    const ids = await add(2);
    await stream.until(2);
    expect(stream.seen.map(petOf)).toEqual(ids);
    expect(stream.seen[0]).toMatchObject({ type: 'pet.created', id: expect.stringMatching(/^evt_/) });
    await stream.stop();
  });

  test('resumes after a given event, by sequence or by id', async () => {
    const [first, second] = await petstore.events.list({ order: 'desc', limit: 2 }).toArray({ max: 2 });
    for (const after of [second?.sequence, second?.id]) {
      const stream = follow({ after });
      await stream.until(1);
      expect(stream.seen[0]).toEqual(first as Event);
      await stream.stop();
    }
  });

  test('yields only the requested types', async () => {
    const stream = follow({ types: ['pet.deleted'] });
    await opened(1);
    const [id] = await add(1);
    await it.service.call('DELETE', `/v1/pets/${id}`);
    await stream.until(1);
    expect(stream.seen.map(({ type }) => type)).toEqual(['pet.deleted']);
    await stream.stop();
  });

  test('resumes without gaps or duplicates when its connection is cut repeatedly', async () => {
    const stream = follow();
    await opened(1);
    const ids: number[] = [];
    for (let round = 1; round <= 4; round += 1) {
      ids.push(...(await add(2)));
      it.proxy.cut();
      ids.push(...(await add(2)));
      await stream.until(ids.length);
    }
    expect(stream.seen.map(petOf)).toEqual(ids);
    await stream.stop();
  });

  test('misses nothing when its connection is cut before its first event', async () => {
    const stream = follow();
    await opened(1);
    it.proxy.cut();
    const ids = await add(2);
    await stream.until(2);
    expect(stream.seen.map(petOf)).toEqual(ids);
    await stream.stop();
  });

  test.each<[string, Fault]>([
    ['the service is unavailable', { status: 503, headers: { 'Retry-After': '3' }, body: '{"code":"unavailable"}' }],
    ['a proxy fails', { status: 502 }],
    [
      'too many streams are open',
      { status: 429, headers: { 'Retry-After': '9' }, body: '{"code":"too_many_streams"}' },
    ],
    ['there is no response', 'lose the request'],
  ])('reconnects when %s, for as long as it takes', async (_, fault) => {
    it.proxy.faults.push(undefined, ...Array<Fault>(5).fill(fault));
    const stream = follow();
    await opened(6);
    const ids = await add(1);
    await stream.until(1);
    expect(stream.seen.map(petOf)).toEqual(ids);
    expect(it.waits.length).toBeGreaterThan(3);
    expect(Math.min(...it.waits)).toBeGreaterThanOrEqual(1000);
    expect(Math.max(...it.waits)).toBeLessThanOrEqual(9000);
    await stream.stop();
  });

  test('reconnects after the delay that the service sends at the end of a stream', async () => {
    const headers = { 'Content-Type': 'text/event-stream' };
    it.proxy.faults.push(undefined, { status: 200, headers, body: ': reconnect with Last-Event-ID\nretry: 4000\n\n' });
    const stream = follow();
    await opened(2);
    expect(it.waits).toEqual([6000]);
    await stream.stop();
  });

  test('resumes after a restart of the service', async () => {
    const stream = follow();
    await opened(1);
    const before = await add(1);
    await stream.until(1);
    await it.service.restart();
    const after = await add(1);
    await stream.until(2);
    expect(stream.seen.map(petOf)).toEqual([...before, ...after]);
    await stream.stop();
  });

  test('starts with the next event even if all earlier events have expired', async () => {
    const other = await startPetstore();
    const client = other.create();
    await client.pets.create({ name: 'Old', categoryId: 1 });
    other.service.clock.advance(399 * 86_400_000);
    // Cleanup deletes nothing while the clock is far ahead of all stored data. This request stores usage with
    // the current time, so the clock is only two days ahead of the newest data when the cleanup runs.
    await client.pets.list().toArray();
    other.service.clock.advance(2 * 86_400_000);
    await other.service.runJobs();
    expect(await client.events.list().toArray()).toEqual([]);
    const stream = follow({}, client);
    await waitFor(
      'a stream without a place',
      () => other.retries.length > 0 && other.proxy.seen.at(-1)?.path.endsWith('/stream'),
    );
    const fresh = await client.pets.create({ name: 'New', categoryId: 1 });
    await stream.until(1);
    expect(stream.seen.map(petOf)).toEqual([fresh.id]);
    await stream.stop();
    await other.stop();
  });

  test('counts as lost when it is silent for longer than the service ever is', async () => {
    const client = it.create({ runtime: { silenceMs: 200 } });
    const stream = follow({}, client);
    await opened(3);
    expect(it.retries[0]?.reason).toMatchObject({ name: 'TimedOut' });
    await stream.stop();
  });
});

describe('a stream ends with an error', () => {
  test('when the key is unknown, or may not read events', async () => {
    const unknown = it.create({ key: 'ps_live_wrong' });
    await expect(follow({ after: 1 }, unknown).ended).rejects.toMatchObject({ name: 'Unauthorized' });
    const client = it.create({ key: await it.service.issueKey() });
    await expect(follow({ after: 1 }, client).ended).rejects.toMatchObject({ name: 'Forbidden' });
    expect(it.waits).toEqual([]);
  });

  test('when its key is revoked', async () => {
    const { body } = await it.service.post('/v1/keys', { name: 'x', plan: 'pro', scopes: ['events:read'], storeId: 1 });
    const stream = follow({}, it.create({ key: body.key }));
    await opened(1);
    await it.service.call('DELETE', `/v1/keys/${body.id}`);
    await expect(stream.ended).rejects.toMatchObject({ name: 'Unauthorized', code: 'invalid_api_key' });
  });

  test('when the event to resume after is unknown', async () => {
    await expect(follow({ after: 987_654_321 }).ended).rejects.toMatchObject({
      name: 'Invalid',
      code: 'invalid_cursor',
    });
  });
});
