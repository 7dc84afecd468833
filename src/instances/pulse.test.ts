import { describe, expect, test } from 'bun:test';
import type { News } from './news.ts';
import { createPulse } from './pulse.ts';

const NOTHING: Omit<News, 'mark'> = { now: 5000, keyIds: [], storeIds: [], instances: 1 };

/** A database that takes `tripMs` to answer, asked by a machine whose clock a test moves. */
const createRig = () => {
  let passedMs = 0;
  const rig = {
    asked: [] as (string | undefined)[],
    heard: [] as News[],
    news: { ...NOTHING, mark: '1' } as News | Error,
    tripMs: 0,
    pass: (ms: number) => {
      passedMs += ms;
    },
  };
  const pulse = createPulse({
    clock: () => 1000 + passedMs,
    stopwatch: () => passedMs,
    async read(mark) {
      rig.asked.push(mark);
      passedMs += rig.tripMs;
      if (rig.news instanceof Error) throw rig.news;
      return rig.news;
    },
    hear: (news) => rig.heard.push(news),
  });
  return { rig, pulse };
};

describe('the pulse of an instance', () => {
  test('goes on from the last mark it was given, also after a look that failed', async () => {
    const { rig, pulse } = createRig();
    await pulse.beat();
    rig.news = new Error('away');
    await expect(pulse.beat()).rejects.toThrow('away');
    rig.news = { ...NOTHING, mark: '2', keyIds: ['key_a'] };
    await pulse.beat();
    await pulse.beat();
    expect(rig.asked).toEqual([undefined, '1', '1', '2']);
    expect(rig.heard.at(1)?.keyIds).toEqual(['key_a']);
  });

  test('is current for less than a second after the last look began, and not before the first', async () => {
    const { rig, pulse } = createRig();
    expect(pulse.isCurrent()).toBe(false);
    rig.tripMs = 100;
    await pulse.beat();
    expect(pulse.isCurrent()).toBe(true);
    rig.pass(599);
    expect(pulse.isCurrent()).toBe(true);
    rig.pass(1);
    expect(pulse.isCurrent()).toBe(false);
    rig.tripMs = 800;
    await pulse.beat();
    expect(pulse.isCurrent()).toBe(false);
  });

  test('tells the time of the database', async () => {
    const { rig, pulse } = createRig();
    rig.tripMs = 40;
    await pulse.beat();
    // Asked at 1000, answered with 5000 at about 1020, heard at 1040.
    expect(pulse.clock()).toBe(5020);
    rig.pass(10);
    expect(pulse.clock()).toBe(5030);
    // A look that was held up says nothing new.
    rig.tripMs = 400;
    await pulse.beat();
    expect(pulse.clock()).toBe(5430);
  });
});
