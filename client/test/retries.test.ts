import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { ADMIN_KEY } from '../../test/admin-key.ts';
import { freePort } from '../../test/servers/server-process.ts';
import { ConnectionLost, Petstore, RateLimited, TimedOut, Unavailable } from '../src/index.ts';
import { failure, startPetstore } from './client.ts';
import type { Fault } from './faulty-proxy.ts';

let it: Awaited<ReturnType<typeof startPetstore>>;
let petstore: Petstore;
beforeAll(async () => {
  it = await startPetstore();
  petstore = it.create();
});
beforeEach(() => it.reset());
afterAll(() => it.stop());

const attempts = () => it.proxy.seen.length;
const UNAVAILABLE: Fault = {
  status: 503,
  headers: { 'Retry-After': '2' },
  body: JSON.stringify({ code: 'unavailable', message: 'Later.', status: 503 }),
};
const BAD_GATEWAY: Fault = { status: 502, body: 'Bad gateway' };
const INTERNAL: Fault = {
  status: 500,
  body: JSON.stringify({ code: 'internal_error', message: 'Sorry.', status: 500 }),
};

const newPet = async (name: string) => {
  const { data, response } = await petstore.pets.create({ name, categoryId: 1 }).withResponse();
  it.reset();
  return { id: data.id, etag: response.etag as string };
};
const named = async (name: string) => (await petstore.pets.list().toArray()).filter((pet) => pet.name === name);

describe('an addition', () => {
  test.each<[string, Fault]>([
    ['the request is lost', 'lose the request'],
    ['the answer is lost', 'lose the answer'],
    ['the service is unavailable', UNAVAILABLE],
    ['the service fails', INTERNAL],
    ['a proxy fails', BAD_GATEWAY],
  ])('is made exactly once when %s, under one idempotency key', async (what, fault) => {
    it.proxy.faults.push(fault, fault);
    const pet = await petstore.pets.create({ name: what, categoryId: 1 });
    expect(attempts()).toBe(3);
    expect(new Set(it.proxy.seen.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(await named(what)).toEqual([pet]);
  });

  test('has an idempotency key of its own each time, unless one is given', async () => {
    await petstore.pets.create({ name: 'Twin', categoryId: 1 });
    await petstore.pets.create({ name: 'Twin', categoryId: 1 });
    await petstore.pets.create({ name: 'Twin', categoryId: 1 }, { idempotencyKey: 'mine' });
    await petstore.pets.create({ name: 'Twin', categoryId: 1 }, { headers: { 'idempotency-key': 'as-a-header' } });
    const [first, second, third, fourth] = it.proxy.seen.map(({ idempotencyKey }) => idempotencyKey);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
    expect(third).toBe('mine');
    expect(fourth).toBe('as-a-header');
  });

  test('that is still under way is waited for', async () => {
    const body = JSON.stringify({ code: 'idempotency_in_progress', message: 'Wait.', status: 409 });
    it.proxy.faults.push({ status: 409, body });
    await petstore.pets.create({ name: 'Slow', categoryId: 1 });
    expect(attempts()).toBe(2);
  });
});

describe('a change', () => {
  test('is not made again when its answer is lost: somebody may have changed the row since', async () => {
    const { id } = await newPet('Ann');
    it.proxy.faults.push('lose the answer');
    const error = await failure(petstore.pets.update(id, { name: 'Bea' }));
    expect(error).toBeInstanceOf(ConnectionLost);
    expect(error).toMatchObject({ code: 'connection_lost', status: undefined });
    expect(error.message).toEndWith('what was asked for may have been done');
    expect(attempts()).toBe(1);
  });

  test.each<[string, Fault]>([
    ['a proxy fails', BAD_GATEWAY],
    ['the service fails', INTERNAL],
  ])('is not made again when %s', async (_, fault) => {
    const { id } = await newPet('Ann');
    it.proxy.faults.push(fault);
    expect(await failure(petstore.pets.update(id, { name: 'Bea' }))).toBeInstanceOf(Unavailable);
    expect(attempts()).toBe(1);
  });

  test('is made again when the service was unavailable: then nothing has happened', async () => {
    const { id } = await newPet('Ann');
    it.proxy.faults.push(UNAVAILABLE);
    expect(await petstore.pets.update(id, { name: 'Bea' })).toMatchObject({ name: 'Bea' });
    expect(attempts()).toBe(2);
  });

  test('is made again when nothing listens: then nothing was sent', async () => {
    const client = it.create({ baseUrl: `http://127.0.0.1:${await freePort()}` });
    const error = await failure(client.pets.update(1, { name: 'Bea' }));
    expect(error).toBeInstanceOf(ConnectionLost);
    expect(error.message).toContain('nothing was sent');
    expect(it.retries.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('of a known version is made again when it was lost, because it cannot be made twice', async () => {
    const { id, etag } = await newPet('Ann');
    it.proxy.faults.push('lose the request');
    expect(await petstore.pets.update(id, { name: 'Bea' }, { ifMatch: etag })).toMatchObject({ name: 'Bea' });
    expect(attempts()).toBe(2);
  });

  test('of a known version whose answer was lost is told as a lost one, and not as somebody else’s', async () => {
    const { id, etag } = await newPet('Ann');
    it.proxy.faults.push('lose the answer');
    const error = await failure(petstore.pets.update(id, { name: 'Bea' }, { ifMatch: etag }));
    expect(error).toBeInstanceOf(ConnectionLost);
    expect(error.message).toContain('read it again');
    expect(error.cause).toMatchObject({ code: 'precondition_failed', status: 412 });
  });

  test('of a version that is gone is a conflict when nothing was lost', async () => {
    const { id } = await newPet('Ann');
    const error = await failure(petstore.pets.update(id, { name: 'Bea' }, { ifMatch: '"7"' }));
    expect(error).toMatchObject({ name: 'Conflict', code: 'precondition_failed' });
  });
});

describe('a removal', () => {
  test('whose answer is lost is made again, and being gone is success', async () => {
    const { id } = await newPet('Cid');
    it.proxy.faults.push('lose the answer');
    expect(await petstore.pets.delete(id)).toBeUndefined();
    expect(attempts()).toBe(2);
  });

  test('of what never was is refused when nothing was lost', async () => {
    expect(await failure(petstore.pets.delete(987_654))).toMatchObject({ name: 'NotFound', code: 'not_found' });
  });
});

describe('a read', () => {
  test.each<[string, Fault]>([
    ['is lost', 'lose the request'],
    ['has a lost answer', 'lose the answer'],
    ['meets a proxy that fails', BAD_GATEWAY],
  ])('that %s is tried again', async (_, fault) => {
    it.proxy.faults.push(fault, fault);
    expect(await petstore.keys.me()).toMatchObject({ storeId: 1 });
    expect(attempts()).toBe(3);
  });
});

describe('retries', () => {
  test('are bounded in count, by the client and by the call', async () => {
    it.proxy.faults.push(...Array<Fault>(10).fill(BAD_GATEWAY));
    expect(await failure(petstore.keys.me())).toMatchObject({ name: 'Unavailable', status: 502 });
    expect(attempts()).toBe(3);
    await failure(petstore.keys.me({ retries: 4 }));
    expect(attempts()).toBe(8);
    await failure(it.create({ retries: 0 }).keys.me());
    expect(attempts()).toBe(9);
  });

  test('wait exponentially longer, each time a random part of it, and no longer than 8 seconds', async () => {
    it.proxy.faults.push(...Array<Fault>(6).fill(BAD_GATEWAY));
    await petstore.keys.me({ retries: 6 });
    expect(it.waits).toEqual([250, 500, 1000, 2000, 4000, 4000]);
    expect(it.retries[0]).toMatchObject({
      method: 'GET',
      path: '/keys/me',
      attempt: 1,
      waitMs: 250,
      reason: { status: 502 },
    });
  });

  test('wait as long as the service asks for, and a random part more so that not all come back at once', async () => {
    it.proxy.faults.push(UNAVAILABLE);
    await petstore.keys.me();
    expect(it.waits).toEqual([2250]);
  });

  test('wait for the window to open again when the requests are used up', async () => {
    const key = await it.service.issueKey({ plan: 'enterprise', limits: { perMinute: 2, perDay: 100 } });
    const client = it.create({ key });
    for (const _ of [1, 2, 3]) await client.pets.list({ limit: 1 }).page();
    expect(it.waits).toEqual([60_000]);
    expect(it.retries[0]?.reason).toBeInstanceOf(RateLimited);
  });

  test('are bounded in time: who would have to wait for longer is told at once for how long', async () => {
    const key = await it.service.issueKey({ plan: 'enterprise', limits: { perMinute: 2, perDay: 2 } });
    const client = it.create({ key });
    for (const _ of [1, 2]) await client.pets.list({ limit: 1 }).page();
    const error = await failure(client.pets.list({ limit: 1 }).page());
    expect(error).toMatchObject({ name: 'RateLimited', code: 'daily_quota_exceeded', retryAfterMs: 86_400_000 });
    expect(error.limits?.remaining).toBe(0);
    expect(it.waits).toEqual([]);
  });

  test('count their waits together', async () => {
    it.proxy.faults.push(...Array<Fault>(9).fill(UNAVAILABLE));
    await failure(it.create({ mostWaitMs: 7000 }).keys.me({ retries: 9 }));
    expect(it.waits).toEqual([2250, 2500]);
  });
});

describe('patience', () => {
  /** Takes connections and says nothing. */
  const startSilence = async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { server, baseUrl: `http://127.0.0.1:${(server.address() as { port: number }).port}` };
  };

  test('ends with an attempt that takes too long', async () => {
    const { server, baseUrl } = await startSilence();
    const error = await failure(it.create({ baseUrl, timeoutMs: 20 }).keys.me({ retries: 1 }));
    expect(error).toBeInstanceOf(TimedOut);
    expect(error).toMatchObject({
      code: 'timed_out',
      message: 'no answer came within 20 ms: what was asked for may have been done',
    });
    expect(it.retries).toHaveLength(1);
    server.close();
  });

  test('has no end where none is set', async () => {
    expect(await it.create({ timeoutMs: Number.POSITIVE_INFINITY }).keys.me({ retries: 0 })).toMatchObject({
      storeId: 1,
    });
  });

  test('ends when the caller says so, with the caller’s reason and no retry', async () => {
    const { server, baseUrl } = await startSilence();
    const controller = new AbortController();
    const call = it.create({ baseUrl }).keys.me({ signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await expect(petstore.keys.me({ signal: controller.signal })).rejects.toThrow('enough');
    expect(it.retries).toEqual([]);
    expect(attempts()).toBe(0);
    server.close();
  });

  test('ends in the middle of a wait too', async () => {
    const controller = new AbortController();
    it.proxy.faults.push({ ...UNAVAILABLE, headers: { 'Retry-After': '86400' } });
    const client = new Petstore({
      key: ADMIN_KEY,
      baseUrl: it.proxy.baseUrl,
      mostWaitMs: 1e9,
      onRetry: () => queueMicrotask(() => controller.abort(new Error('enough'))),
    });
    await expect(client.keys.me({ signal: controller.signal })).rejects.toThrow('enough');
    expect(attempts()).toBe(1);
  });
});
