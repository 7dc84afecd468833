import { afterEach, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';
import { waitFor } from '../../../test/wait-for.ts';
import type { MakeBackup } from './backups.ts';

let service: Service;
afterEach(() => service.stop());

const list = async () => (await service.get('/v1/backups')).body;
const ended = () =>
  waitFor('the backup ends', async () => {
    const [last] = await list();
    return last.state === 'running' ? undefined : last;
  });
const started = () => ({
  state: 'running',
  startedAt: new Date(service.clock()).toISOString(),
  ...{ finishedAt: null, file: null, bytes: null, error: null },
});

/** Starts a service whose backups finish only when the test resolves or rejects them. */
const startHeld = async () => {
  const held: { resolve(made: Awaited<ReturnType<MakeBackup>>): void; reject(error: Error): void }[] = [];
  const signals: AbortSignal[] = [];
  service = await startService({
    backUp: (signal) => {
      signals.push(signal);
      const { promise, resolve, reject } = Promise.withResolvers<{ file: string; bytes: number }>();
      held.push({ resolve, reject });
      return promise;
    },
  });
  const next = () => waitFor('the backup begins', () => held.pop());
  return { next, signals, begun: () => signals.length };
};

describe('createBackup', () => {
  test('returns immediately, and shows the result when it is known', async () => {
    const { next } = await startHeld();
    const { status, body } = await service.call('POST', '/v1/backups');
    expect([status, body]).toEqual([201, started()]);
    expect(await list()).toEqual([started()]);
    const backup = await next();
    const finished = { ...started(), state: 'done', file: 'backups/one.db', bytes: 12 };
    service.clock.advance(5000);
    backup.resolve({ file: 'backups/one.db', bytes: 12 });
    expect(await ended()).toEqual({ ...finished, finishedAt: new Date(service.clock()).toISOString() });
  });

  test('makes one backup at a time', async () => {
    const { next, begun } = await startHeld();
    await service.call('POST', '/v1/backups');
    const second = await service.call('POST', '/v1/backups');
    expectError(second, 'backup_in_progress', 409);
    expect(second.body.message).toContain(new Date(service.clock()).toISOString());
    (await next()).resolve({ file: 'one.db', bytes: 1 });
    await ended();
    expect((await service.call('POST', '/v1/backups')).status).toBe(201);
    (await next()).resolve({ file: 'two.db', bytes: 1 });
    await ended();
    expect(begun()).toBe(2);
  });

  test('shows why a backup failed, and allows another', async () => {
    const { next } = await startHeld();
    await service.call('POST', '/v1/backups');
    (await next()).reject(new Error('not enough space for one.db; free up some space'));
    expect(await ended()).toMatchObject({
      state: 'failed',
      file: null,
      error: 'not enough space for one.db; free up some space',
    });
    expect((await service.call('POST', '/v1/backups')).status).toBe(201);
    (await next()).resolve({ file: 'two.db', bytes: 1 });
    await ended();
    expect((await list()).map(({ state }: { state: string }) => state)).toEqual(['done', 'failed']);
  });

  test('repeats its response for the same idempotency key, without a second backup', async () => {
    const { next, begun } = await startHeld();
    const ask = () => service.call('POST', '/v1/backups', { headers: { 'Idempotency-Key': 'nightly' } });
    const first = await ask();
    (await next()).resolve({ file: 'one.db', bytes: 1 });
    await ended();
    const again = await ask();
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(begun()).toBe(1);
  });

  test('stops the backup when the service stops', async () => {
    const { next, signals } = await startHeld();
    await service.call('POST', '/v1/backups');
    const backup = await next();
    expect(signals[0]?.aborted).toBe(false);
    service.drain();
    expect(signals[0]?.aborted).toBe(true);
    backup.reject(new Error('the backup was cancelled'));
  });

  test('keeps the last ten attempts', async () => {
    service = await startService();
    for (let made = 0; made < 12; made += 1) {
      service.clock.advance(1000);
      await service.call('POST', '/v1/backups');
      await ended();
    }
    const times = (await list()).map(({ startedAt }: { startedAt: string }) => Date.parse(startedAt));
    expect(times).toEqual(Array.from({ length: 10 }, (_, index) => service.clock() - index * 1000));
  });

  test('explains what to use instead if the service cannot make a backup', async () => {
    service = await startService({ backUp: undefined });
    const refused = await service.call('POST', '/v1/backups');
    expectError(refused, 'backup_not_supported', 409);
    const isPostgres = service.place.startsWith('postgres:');
    expect(refused.body.message).toContain(isPostgres ? 'pg_dump' : 'without --demo');
    expect(await list()).toEqual([]);
  });

  test('requires keys:write, and the list requires ops:read', async () => {
    service = await startService();
    const key = await service.issueKey({ scopes: ['ops:read'] });
    expectError(await service.call('POST', '/v1/backups', { key }), 'insufficient_scope', 403);
    expect((await service.get('/v1/backups', { key })).status).toBe(200);
    expectError(await service.get('/v1/backups', { key: await service.issueKey() }), 'insufficient_scope', 403);
  });
});
