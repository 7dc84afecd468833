import { describe, expect, test } from 'bun:test';
import { type Changes, createPoller } from './poller.ts';

const NOTHING: Changes = {
  now: 5000,
  keyChanges: 1n,
  keyIds: [],
  sequences: new Map(),
  leader: { holder: null, until: 0 },
  work: undefined,
};

const createRig = () => {
  let passedMs = 0;
  const rig = {
    asked: [] as (bigint | undefined)[],
    heard: [] as { keyIds: readonly string[]; storeIds: readonly bigint[] }[],
    changes: NOTHING as Changes | Error,
    watched: [] as bigint[],
    tripMs: 0,
    pass: (ms: number) => {
      passedMs += ms;
    },
  };
  const poller = createPoller({
    elapsed: () => passedMs,
    storeIds: () => rig.watched,
    workAt: () => undefined,
    async read({ keyChanges }) {
      rig.asked.push(keyChanges);
      passedMs += rig.tripMs;
      if (rig.changes instanceof Error) throw rig.changes;
      return rig.changes;
    },
    apply: ({ keyIds }, storeIds) => rig.heard.push({ keyIds, storeIds }),
  });
  return { rig, poller };
};

describe('the poller', () => {
  test('continues from the last count of changes, even after a failed poll', async () => {
    const { rig, poller } = createRig();
    await poller.poll();
    rig.changes = new Error('away');
    await expect(poller.poll()).rejects.toThrow('away');
    rig.changes = { ...NOTHING, keyChanges: 2n, keyIds: ['key_a'] };
    await poller.poll();
    await poller.poll();
    expect(rig.asked).toEqual([undefined, 1n, 1n, 2n]);
    expect(rig.heard.at(1)?.keyIds).toEqual(['key_a']);
  });

  test('reports watched stores whose last sequence has changed', async () => {
    const { rig, poller } = createRig();
    rig.watched = [7n, 8n];
    rig.changes = { ...NOTHING, sequences: new Map([[7n, 1n]]) };
    await poller.poll();
    await poller.poll();
    rig.changes = { ...NOTHING, sequences: new Map([[7n, 2n]]) };
    await poller.poll();
    expect(rig.heard.map(({ storeIds }) => storeIds)).toEqual([[7n], [], [7n]]);
  });

  test('polls often only while requests use a cache or streams are open', async () => {
    const { rig, poller } = createRig();
    await poller.pollIfUsed();
    expect(rig.asked).toHaveLength(0);
    poller.isCurrent();
    await poller.pollIfUsed();
    await poller.pollIfUsed();
    expect(rig.asked).toHaveLength(1);
    rig.watched = [7n];
    await poller.pollIfUsed();
    await poller.pollIfUsed();
    expect(rig.asked).toHaveLength(3);
  });

  test('is current for less than a second after the start of the last poll, and not before the first', async () => {
    const { rig, poller } = createRig();
    expect(poller.isCurrent()).toBe(false);
    rig.tripMs = 100;
    await poller.poll();
    expect(poller.isCurrent()).toBe(true);
    rig.pass(599);
    expect(poller.isCurrent()).toBe(true);
    rig.pass(1);
    expect(poller.isCurrent()).toBe(false);
    rig.tripMs = 800;
    await poller.poll();
    expect(poller.isCurrent()).toBe(false);
  });

  test('estimates the clock of the database', async () => {
    const { rig, poller } = createRig();
    rig.tripMs = 40;
    await poller.poll();
    // The poll took 40 ms. The poller assumes that the database read its clock (5000) halfway through, after 20 ms.
    expect(poller.clock()).toBe(5020);
    rig.pass(10);
    expect(poller.clock()).toBe(5030);
    rig.tripMs = 400;
    await poller.poll();
    expect(poller.clock()).toBe(5430);
  });
});
