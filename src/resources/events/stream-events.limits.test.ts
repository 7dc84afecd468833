import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { followStream } from '../../../test/event-stream.ts';
import { type Service, startService } from '../../../test/service.ts';
import { waitFor } from '../../../test/wait-for.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const newStore = (storeId: number, fields: object = {}) =>
  service.issueKey({ storeId, scopes: ['pets:read', 'pets:write', 'events:read'], ...fields });

describe('the stream limit of a key', () => {
  /** Keeps a reference to each response, because a stream closes when its response is garbage-collected. */
  const answers: Response[] = [];
  const open = async (key: string, headers: Record<string, string> = {}) => {
    const gone = new AbortController();
    const answer = await fetch(service.url('/v1/events/stream'), {
      headers: { Authorization: `Bearer ${key}`, ...headers },
      signal: gone.signal,
    });
    answers.push(answer);
    return { answer, status: answer.status, close: () => gone.abort() };
  };
  const isFree = async (key: string) => {
    const { status, close } = await open(key);
    close();
    return status === 200;
  };
  const issue = (storeId: number, fields: object = {}) => newStore(storeId, { plan: 'free', ...fields });

  test('is that of its plan: one more gets 429 with Retry-After, and costs one request', async () => {
    const key = await issue(70);
    expect([(await open(key)).status, (await open(key)).status]).toEqual([200, 200]);
    const { answer, status } = await open(key);
    // Checks the status first: if the stream had been opened by mistake, reading its body would never end.
    expect(status).toBe(429);
    const body = (await answer.json()) as { message: string };
    expect(body).toMatchObject({ code: 'too_many_streams', status: 429 });
    expect(body.message).toContain('free');
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('57');
  });

  test('does not count streams of another key', async () => {
    const [one, other] = [await issue(71), await issue(71)];
    expect([(await open(one)).status, (await open(one)).status]).toEqual([200, 200]);
    expect([(await open(other)).status, (await open(other)).status]).toEqual([200, 200]);
  });

  test('does not count streams whose readers have disconnected', async () => {
    const key = await issue(72);
    const streams = [await open(key), await open(key)];
    expect((await open(key)).status).toBe(429);
    for (const { close } of streams) close();
    await waitFor('a place is free', () => isFree(key));
  });

  test('does not count HEAD requests, or streams that were refused while opening', async () => {
    const key = await issue(73);
    for (let asked = 0; asked < 5; asked += 1) {
      expect((await service.call('HEAD', '/v1/events/stream', { key })).status).toBe(200);
      expect((await open(key, { 'Last-Event-ID': '999' })).status).toBe(400);
    }
    await waitFor('both places are free', async () => {
      const streams = [await open(key), await open(key)];
      for (const { close } of streams) close();
      return streams.every(({ status }) => status === 200);
    });
  });

  test('does not count streams that a key change has ended', async () => {
    const { body } = await service.post('/v1/keys', { name: 'x', plan: 'free', storeId: 74, scopes: ['events:read'] });
    const streams = [await open(body.key), await open(body.key)];
    await service.call('PATCH', `/v1/keys/${body.id}`, { body: { name: 'y' } });
    await Promise.all(streams.map(({ answer }) => answer.text()));
    expect((await open(body.key)).status).toBe(200);
    expect((await open(body.key)).status).toBe(200);
    expect((await open(body.key)).status).toBe(429);
  });

  test('does not count streams that ended with a retry line after an hour', async () => {
    const key = await issue(75);
    const { ended, lastWords } = await followStream(service, key, () => false);
    service.clock.advance(3_600_000);
    await service.runJobs();
    await ended;
    expect(lastWords.join()).toMatch(/^retry: \d{4}$/m);
    await waitFor('a place is free', () => isFree(key));
  });
});

describe('replayed events', () => {
  const CREATED = 2100;
  const KEY_OF_STORE = { plan: 'enterprise', limits: { perMinute: 100_000, perDay: 100_000 } };
  beforeAll(async () => {
    const key = await newStore(80, KEY_OF_STORE);
    const createPets = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key })),
      );
    for (let written = 0; written < CREATED; written += 50) await createPets(50);
  });

  test('cost one more request for every 1,000', async () => {
    const key = await newStore(80, KEY_OF_STORE);
    const { seen, ended } = await followStream(service, key, (events) => events.at(-1)?.id === CREATED + 1, 0);
    await ended;
    expect(seen).toHaveLength(CREATED);
    const { headers } = await service.get('/v1/pets', { key });
    expect(headers.get('x-ratelimit-remaining')).toBe(String(KEY_OF_STORE.limits.perMinute - 4));
  });

  test('end with a retry line when the limit is used up, and resume at the same position', async () => {
    const key = await newStore(80, { plan: 'enterprise', limits: { perMinute: 2, perDay: 100 } });
    const first = await followStream(service, key, () => false, 0);
    await first.ended;
    expect(first.lastWords.join()).toMatch(/^retry: 60000$/m);
    const lastId = first.seen.at(-1)?.id ?? 0;
    expect(lastId).toBeLessThan(CREATED);
    service.clock.advance(60_000);
    const rest = await followStream(service, key, (events) => events.at(-1)?.id === CREATED + 1, lastId);
    await rest.ended;
    const ids = [...first.seen, ...rest.seen].map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: CREATED }, (_, index) => index + 2));
  });
});
