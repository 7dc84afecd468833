import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../test/database.ts';
import { type Answer, SYSTEM_CALL } from '../kernel/operation.ts';
import { findReplay, runOnce } from './run-once.ts';

let opened: TestDatabase;
beforeEach(() => {
  opened = openTestDatabase();
});
afterEach(() => opened.close());

const print = (byte: number) => new Uint8Array([byte, 7]);

const ask = async (answer: Answer | Error, { caller = 'key_one', key = 'word', fingerprint = print(1) } = {}) => {
  let runs = 0;
  const seen = await opened.database.write(SYSTEM_CALL, ({ idempotency }) =>
    runOnce(idempotency, { caller, once: { key, fingerprint } }, async () => {
      runs += 1;
      if (answer instanceof Error) throw answer;
      return answer;
    }),
  );
  return { seen, runs };
};
const FULL: Answer = { body: { id: 7 }, version: 3n, location: '/pets/7' };

describe('a repeated request', () => {
  test('gets the first answer, and nothing runs again', async () => {
    expect(await ask(FULL)).toEqual({ seen: { ...FULL, text: '{"id":7}' }, runs: 1 });
    expect(await ask({ body: 'another' })).toEqual({
      seen: { text: '{"id":7}', version: 3n, location: '/pets/7', replayed: true },
      runs: 0,
    });
  });

  test('gets only parts that the first answer had', async () => {
    await ask({});
    expect((await ask(FULL)).seen).toEqual({ replayed: true });
  });

  test('gets no secret, and everything else unchanged', async () => {
    await ask({ body: { key: 'ps_live_a', secret: 'whsec_b', id: 'key_one', keys: 1 } });
    expect((await ask(FULL)).seen.text).toBe('{"key":null,"secret":null,"id":"key_one","keys":1}');
  });

  test.each([[[{ key: 'a' }]], [null], ['key']])('gets a body that is not an object unchanged: %j', async (body) => {
    await ask({ body });
    expect((await ask(FULL)).seen.text).toBe(JSON.stringify(body));
  });

  test('is refused if it differs, and runs if its caller or its key differs', async () => {
    await ask(FULL);
    const reused = expect.objectContaining({
      code: 'idempotency_key_reused',
      faults: [{ header: 'Idempotency-Key', detail: expect.stringContaining('a different request') }],
    });
    await expect(ask(FULL, { fingerprint: print(2) })).rejects.toEqual(reused);
    expect((await ask(FULL, { caller: 'key_two' })).runs).toBe(1);
    expect((await ask(FULL, { key: 'other' })).runs).toBe(1);
  });

  test('runs if the first one failed', async () => {
    await expect(ask(new Error('no'))).rejects.toThrow('no');
    expect((await ask(FULL)).runs).toBe(1);
  });

  test('gets the stored response until it is deleted, whatever the clock shows', async () => {
    await ask(FULL);
    opened.clock.advance(2000 * 24 * 3_600_000);
    expect((await ask(FULL)).runs).toBe(0);
    await opened.database.write(SYSTEM_CALL, ({ keptAnswers }) => keptAnswers.forget(opened.clock(), 9));
    expect((await ask(FULL)).runs).toBe(1);
  });

  test('gets the first answer even if that was a list, which is serialized once', async () => {
    const list: Answer = { body: [{ id: 7 }], next: 'more' };
    expect((await ask(list)).seen).toEqual({ ...list, text: '[{"id":7}]' });
    expect((await ask(FULL)).seen).toEqual({ text: '[{"id":7}]', replayed: true });
  });
});

describe('a committed answer', () => {
  const find = ({ caller = 'key_one', key = 'word', fingerprint = print(1) } = {}) =>
    findReplay(opened.database.read(SYSTEM_CALL.storeId).idempotency, {
      caller,
      once: { key, fingerprint },
    });
  const KEPT: Answer = { text: '{"id":7}', version: 3n, location: '/pets/7', replayed: true };

  test('is found only for the same request of the same caller', async () => {
    expect(await find()).toBeUndefined();
    await ask(FULL);
    expect(await find()).toEqual(KEPT);
    expect(await find({ fingerprint: print(2) })).toBeUndefined();
    expect(await find({ caller: 'key_two' })).toBeUndefined();
    expect(await find({ key: 'other' })).toBeUndefined();
  });
});
