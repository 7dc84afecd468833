import { expect, test } from 'bun:test';
import type { Sql, SqlValue } from '../storage/sql.ts';
import { sequenceAfterCommit } from './sequencer.sql.ts';

/** A fake database that calls `answer` instead of the SQL function `number_events`. */
const open = (answer: (storeId: SqlValue, most: SqlValue) => { flags: bigint }, pending: bigint[] = []) => {
  const engine: Partial<Sql> = {
    isReadOnly: true,
    one: async <Row>(_: string, [storeId = null, most = null]: readonly SqlValue[]) => answer(storeId, most) as Row,
    all: async <Row>() => pending.map((id) => ({ store_id: id })) as Row[],
  };
  const sequencer = sequenceAfterCommit({
    now: () => null,
    assign: async (storeId) => void (await sequencer.assignSome(storeId)),
    committed: () => undefined,
  })(engine as Sql);
  return sequencer;
};

test('a store that fails does not keep the job from numbering the events of other stores', async () => {
  const asked: SqlValue[] = [];
  const sequencer = open(
    (storeId) => {
      asked.push(storeId);
      if (storeId !== 3n) throw new Error(`store ${storeId} failed`);
      return { flags: 0n };
    },
    [1n, 2n, 3n],
  );
  await expect(sequencer.assignAll()).rejects.toThrow('store 1 failed');
  expect(asked).toEqual([1n, 2n, 3n]);
});

test('after a failure, fewer events of the store are numbered at a time, until it has no more', async () => {
  const asked: SqlValue[] = [];
  let left = 700;
  const sequencer = open((storeId, most) => {
    asked.push(most);
    if (storeId === 2n) return { flags: 0n };
    if (Number(most) > 300) throw new Error('the server did not respond in time');
    left -= Number(most);
    return { flags: left > 0 ? 1n : 0n };
  });
  for (let times = 0; times < 2; times += 1) await expect(sequencer.assignSome(1n)).rejects.toThrow('in time');
  await sequencer.assignSome(2n);
  while ((await sequencer.assignSome(1n)).hasMore);
  await expect(sequencer.assignSome(1n)).rejects.toThrow('in time');
  expect(asked).toEqual([1000, 500, 1000, 250, 250, 250, 1000]);
});

test('after an outage, the number of events in a statement is not below the minimum', async () => {
  const asked: SqlValue[] = [];
  const sequencer = open((_, most) => {
    asked.push(most);
    throw new Error('away');
  });
  for (let times = 0; times < 7; times += 1) await sequencer.assignSome(1n).catch(() => undefined);
  expect(asked).toEqual([1000, 500, 250, 125, 62, 50, 50]);
});
