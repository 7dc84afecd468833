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
const unavailable = (windows: readonly string[]) => ({
  status: 503,
  headers: {
    'Retry-After': '2',
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '59',
    'X-RateLimit-Reset': '1800000000',
    RateLimit: windows.map((name) => `"${name}";r=59;t=60`).join(', '),
    'RateLimit-Policy': windows.map((name) => `"${name}";q=60;w=60`).join(', '),
  },
  body: JSON.stringify({ code: 'unavailable', message: 'Later.', status: 503 }),
});
/** The response from an overloaded service that refused the request before it read the key. */
const UNAVAILABLE = unavailable(['minute']);
/** The response from a service whose storage failed while the request was running, perhaps after the commit. */
const UNSTORED = unavailable(['minute', 'day']);
const UNKNOWN: Fault = { status: 503, body: JSON.stringify({ code: 'unavailable', message: 'Later.', status: 503 }) };
const BAD_GATEWAY: Fault = { status: 502, body: 'Bad gateway' };
const INTERNAL = {
  status: 500,
  body: JSON.stringify({ code: 'internal_error', message: 'Sorry.', status: 500 }),
};

const newPet = async (name: string) => {
  const { data, response } = await petstore.pets.create({ name, categoryId: 1 }).withResponse();
  it.reset();
  return { id: data.id, etag: response.etag as string };
};
const named = async (name: string) => (await petstore.pets.list().toArray()).filter((pet) => pet.name === name);

describe('a POST', () => {
  test.each<[string, Fault]>([
    ['the request is lost', 'lose the request'],
    ['the response is lost', 'lose the answer'],
    ['the service is unavailable', UNAVAILABLE],
    ['the storage is unavailable', UNSTORED],
    ['the service fails', INTERNAL],
    ['a proxy fails', BAD_GATEWAY],
  ])('takes effect exactly once when %s, with one idempotency key', async (what, fault) => {
    it.proxy.faults.push(fault, fault);
    const pet = await petstore.pets.create({ name: what, categoryId: 1 });
    expect(attempts()).toBe(3);
    expect(new Set(it.proxy.seen.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(await named(what)).toEqual([pet]);
  });

  test('has its own idempotency key per call, unless one is given', async () => {
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

  test('that is still in progress is retried until it is done', async () => {
    const body = JSON.stringify({ code: 'idempotency_in_progress', message: 'Wait.', status: 409 });
    it.proxy.faults.push({ status: 409, body });
    await petstore.pets.create({ name: 'Slow', categoryId: 1 });
    expect(attempts()).toBe(2);
  });
});

describe('a PATCH', () => {
  test('is not retried when its response is lost: the row may have changed since', async () => {
    const { id } = await newPet('Ann');
    it.proxy.faults.push('lose the answer');
    const error = await failure(petstore.pets.update(id, { name: 'Bea' }));
    expect(error).toBeInstanceOf(ConnectionLost);
    expect(error).toMatchObject({ code: 'connection_lost', status: undefined });
    expect(error.message).toEndWith('the service may have carried out the request');
    expect(attempts()).toBe(1);
  });

  test.each<[string, Fault]>([
    ['a proxy fails', BAD_GATEWAY],
    ['the service fails', INTERNAL],
    ['the storage fails', UNSTORED],
    ['a 503 does not show who sent it', UNKNOWN],
    ['the service fails with the headers of a 503', { ...UNAVAILABLE, ...INTERNAL }],
  ])('is not retried when %s', async (_, fault) => {
    const { id } = await newPet('Ann');
    it.proxy.faults.push(fault);
    expect(await failure(petstore.pets.update(id, { name: 'Bea' }))).toBeInstanceOf(Unavailable);
    expect(attempts()).toBe(1);
  });

  test('is retried when the service was overloaded: nothing was changed', async () => {
    const { id } = await newPet('Ann');
    it.proxy.faults.push(UNAVAILABLE);
    expect(await petstore.pets.update(id, { name: 'Bea' })).toMatchObject({ name: 'Bea' });
    expect(attempts()).toBe(2);
  });

  test('is retried when the connection is refused: nothing was sent', async () => {
    const client = it.create({ baseUrl: `http://127.0.0.1:${await freePort()}` });
    const error = await failure(client.pets.update(1, { name: 'Bea' }));
    expect(error).toBeInstanceOf(ConnectionLost);
    expect(error.message).toContain('nothing was sent');
    expect(it.retries.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('with ifMatch is retried when its request is lost, because it cannot match twice', async () => {
    const { id, etag } = await newPet('Ann');
    it.proxy.faults.push('lose the request');
    expect(await petstore.pets.update(id, { name: 'Bea' }, { ifMatch: etag })).toMatchObject({ name: 'Bea' });
    expect(attempts()).toBe(2);
  });

  test('with ifMatch and a lost response fails with ConnectionLost, and not with Conflict', async () => {
    const { id, etag } = await newPet('Ann');
    it.proxy.faults.push('lose the answer');
    const error = await failure(petstore.pets.update(id, { name: 'Bea' }, { ifMatch: etag }));
    expect(error).toBeInstanceOf(ConnectionLost);
    expect(error).toMatchObject({
      code: 'connection_lost',
      message: expect.stringContaining('read the resource to find out'),
    });
    expect(error.cause).toMatchObject({ code: 'precondition_failed', status: 412 });
    // There is no third attempt, because it would fail for the same reason.
    expect(attempts()).toBe(2);
    expect(it.retries).toHaveLength(1);
  });

  test('with ifMatch is retried when the storage fails, and a Conflict after that becomes ConnectionLost', async () => {
    const { id, etag } = await newPet('Ann');
    it.proxy.faults.push(UNSTORED);
    expect(await petstore.pets.update(id, { name: 'Bea' }, { ifMatch: etag })).toMatchObject({ name: 'Bea' });
    it.proxy.faults.push(UNSTORED);
    const error = await failure(petstore.pets.update(id, { name: 'Cem' }, { ifMatch: etag }));
    expect(error).toMatchObject({ name: 'ConnectionLost', cause: { code: 'precondition_failed' } });
    it.proxy.faults.push(UNAVAILABLE);
    const refused = await failure(petstore.pets.update(id, { name: 'Cem' }, { ifMatch: etag }));
    expect(refused).toMatchObject({ name: 'Conflict', code: 'precondition_failed' });
  });

  test('with an outdated ifMatch is a Conflict when nothing was lost', async () => {
    const { id } = await newPet('Ann');
    const error = await failure(petstore.pets.update(id, { name: 'Bea' }, { ifMatch: '"7"' }));
    expect(error).toMatchObject({ name: 'Conflict', code: 'precondition_failed' });
  });
});

describe('a DELETE', () => {
  test('is retried when its response is lost, and a missing row counts as success', async () => {
    const { id } = await newPet('Cid');
    it.proxy.faults.push('lose the answer');
    expect(await petstore.pets.delete(id)).toBeUndefined();
    expect(attempts()).toBe(2);
  });

  test('after a lost response fails if the service refuses for another reason', async () => {
    const { id } = await newPet('Kept');
    const refused = { status: 403, body: JSON.stringify({ code: 'insufficient_scope', message: 'No.', status: 403 }) };
    it.proxy.faults.push('lose the request', refused);
    expect(await failure(petstore.pets.delete(id))).toMatchObject({ code: 'insufficient_scope' });
    const gone = { status: 404, body: JSON.stringify({ code: 'not_found', message: 'Gone.', status: 404 }) };
    it.proxy.faults.push('lose the request', gone);
    expect(await failure(petstore.pets.update(id, { name: 'Rex' }, { ifMatch: '"1"' }))).toMatchObject({
      code: 'not_found',
    });
  });

  test('whose commit was not confirmed is retried, and a missing row counts as success', async () => {
    const { id } = await newPet('Cid');
    await petstore.pets.delete(id);
    it.proxy.faults.push(UNSTORED);
    expect(await petstore.pets.delete(id)).toBeUndefined();
  });

  test('of an unknown id is refused when nothing was lost', async () => {
    it.proxy.faults.push(UNAVAILABLE);
    expect(await failure(petstore.pets.delete(987_654))).toMatchObject({ name: 'NotFound', code: 'not_found' });
  });
});

describe('a GET', () => {
  test.each<[string, Fault]>([
    ['loses its request', 'lose the request'],
    ['loses its response', 'lose the answer'],
    ['reaches a failing proxy', BAD_GATEWAY],
  ])('that %s is retried', async (_, fault) => {
    it.proxy.faults.push(fault, fault);
    expect(await petstore.keys.me()).toMatchObject({ storeId: 1 });
    expect(attempts()).toBe(3);
  });
});

describe('retries', () => {
  test('are limited in number, by the client and by the call', async () => {
    it.proxy.faults.push(...Array<Fault>(10).fill(BAD_GATEWAY));
    expect(await failure(petstore.keys.me())).toMatchObject({ name: 'Unavailable', status: 502 });
    expect(attempts()).toBe(3);
    await failure(petstore.keys.me({ retries: 4 }));
    expect(attempts()).toBe(8);
    await failure(it.create({ retries: 0 }).keys.me());
    expect(attempts()).toBe(9);
  });

  test('wait a random part of a doubling interval of at most 8 seconds', async () => {
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

  test('wait for Retry-After plus a random part, so that clients do not all retry at the same time', async () => {
    it.proxy.faults.push(UNAVAILABLE);
    await petstore.keys.me();
    expect(it.waits).toEqual([2250]);
  });

  test('wait for the rate limit to reset', async () => {
    const key = await it.service.issueKey({ plan: 'enterprise', limits: { perMinute: 2, perDay: 100 } });
    const client = it.create({ key });
    for (const _ of [1, 2, 3]) await client.pets.list({ limit: 1 }).page();
    expect(it.waits).toEqual([60_000]);
    expect(it.retries[0]?.reason).toBeInstanceOf(RateLimited);
  });

  test('are limited in time: a longer wait fails immediately, with retryAfterMs', async () => {
    const key = await it.service.issueKey({ plan: 'enterprise', limits: { perMinute: 2, perDay: 2 } });
    const client = it.create({ key });
    for (const _ of [1, 2]) await client.pets.list({ limit: 1 }).page();
    const error = await failure(client.pets.list({ limit: 1 }).page());
    expect(error).toMatchObject({ name: 'RateLimited', code: 'daily_quota_exceeded', retryAfterMs: 86_400_000 });
    expect(error.limits?.remaining).toBe(0);
    expect(it.waits).toEqual([]);
  });

  test('limit the total wait', async () => {
    it.proxy.faults.push(...Array<Fault>(9).fill(UNAVAILABLE));
    await failure(it.create({ maxWaitMs: 7000 }).keys.me({ retries: 9 }));
    expect(it.waits).toEqual([2250, 2500]);
  });
});

describe('a call', () => {
  const startSilence = async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { server, baseUrl: `http://127.0.0.1:${(server.address() as { port: number }).port}` };
  };

  test('times out when an attempt takes too long', async () => {
    const { server, baseUrl } = await startSilence();
    const error = await failure(it.create({ baseUrl, timeoutMs: 20 }).keys.me({ retries: 1 }));
    expect(error).toBeInstanceOf(TimedOut);
    expect(error).toMatchObject({
      code: 'timed_out',
      message: 'no response within 20 ms; the service may have carried out the request',
    });
    expect(it.retries).toHaveLength(1);
    server.close();
  });

  test('is not repeated after a timeout if it may have changed something', async () => {
    const { server, baseUrl } = await startSilence();
    const client = it.create({ baseUrl, timeoutMs: 20 });
    expect(await failure(client.pets.update(7, { name: 'Rex' }))).toBeInstanceOf(TimedOut);
    expect(it.retries).toEqual([]);
    expect(await failure(client.pets.update(7, { name: 'Rex' }, { ifMatch: '"1"', retries: 1 }))).toBeInstanceOf(
      TimedOut,
    );
    expect(it.retries).toHaveLength(1);
    server.close();
  });

  test('never times out with an infinite timeout', async () => {
    expect(await it.create({ timeoutMs: Number.POSITIVE_INFINITY }).keys.me({ retries: 0 })).toMatchObject({
      storeId: 1,
    });
  });

  test('ends when its signal aborts, with the reason of the signal and no retry', async () => {
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

  test('ends when its signal aborts during a wait', async () => {
    const controller = new AbortController();
    it.proxy.faults.push({ ...UNAVAILABLE, headers: { 'Retry-After': '86400' } });
    const client = new Petstore({
      key: ADMIN_KEY,
      baseUrl: it.proxy.baseUrl,
      maxWaitMs: 1e9,
      onRetry: () => queueMicrotask(() => controller.abort(new Error('enough'))),
    });
    await expect(client.keys.me({ signal: controller.signal })).rejects.toThrow('enough');
    expect(attempts()).toBe(1);
  });
});
