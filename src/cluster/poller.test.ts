import { describe, expect, test } from 'bun:test';
import { type Changes, createPoller } from './poller.ts';

const NOTHING: Omit<Changes, 'mark'> = { now: 5000, keyIds: [], storeIds: [], instances: 1 };

const createRig = () => {
  let passedMs = 0;
  const rig = {
    asked: [] as (string | undefined)[],
    heard: [] as Changes[],
    changes: { ...NOTHING, mark: '1' } as Changes | Error,
    tripMs: 0,
    pass: (ms: number) => {
      passedMs += ms;
    },
  };
  const poller = createPoller({
    elapsed: () => passedMs,
    async read(mark) {
      rig.asked.push(mark);
      passedMs += rig.tripMs;
      if (rig.changes instanceof Error) throw rig.changes;
      return rig.changes;
    },
    apply: (changes) => rig.heard.push(changes),
  });
  return { rig, poller };
};

describe('the poller', () => {
  test('continues from its last position, even after a failed poll', async () => {
    const { rig, poller } = createRig();
    await poller.poll();
    rig.changes = new Error('away');
    await expect(poller.poll()).rejects.toThrow('away');
    rig.changes = { ...NOTHING, mark: '2', keyIds: ['key_a'] };
    await poller.poll();
    await poller.poll();
    expect(rig.asked).toEqual([undefined, '1', '1', '2']);
    expect(rig.heard.at(1)?.keyIds).toEqual(['key_a']);
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
    // The poll was sent at 0 ms and answered at 40 ms. The database read its clock (5000) about halfway, at 20 ms.
    expect(poller.clock()).toBe(5020);
    rig.pass(10);
    expect(poller.clock()).toBe(5030);
    // A slow poll does not set the clock. Only the elapsed 400 ms are added.
    rig.tripMs = 400;
    await poller.poll();
    expect(poller.clock()).toBe(5430);
  });
});
