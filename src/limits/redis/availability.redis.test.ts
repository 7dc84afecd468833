import { afterEach, describe, expect, test } from 'bun:test';
import { waitFor } from '../../../test/wait-for.ts';
import { createAvailability } from './availability.redis.ts';

const NEVER = 600_000;

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Accepts calls, which succeed or fail when the test decides. */
const open = (timeoutMs = NEVER) => {
  const told: string[] = [];
  const probes: { tag: string | undefined; reply: PromiseWithResolvers<unknown> }[] = [];
  const availability = createAvailability({
    timeoutMs,
    probe: (tag) => {
      const reply = Promise.withResolvers<unknown>();
      probes.push({ tag, reply });
      return reply.promise;
    },
    onAway: (error) => told.push(`away: ${(error as Error).message}`),
    onBack: () => told.push('back'),
  });
  stops.push(availability.stop);
  return { ...availability, told, probes };
};

const unanswered = () => new Promise<never>(() => undefined);

describe('whoever asks', () => {
  test('is given the answer, however slow it is', async () => {
    const { ask, told } = open();
    const reply = Promise.withResolvers<string>();
    const asked = ask('a', () => reply.promise);
    setTimeout(() => reply.resolve('yes'), 100);
    expect(await asked).toBe('yes');
    expect(told).toEqual([]);
  });

  test('is told at once that it is away when anything fails, and so is everyone who waits', async () => {
    const { ask, isAway, told } = open();
    const waiting = [ask('a', unanswered), ask('b', unanswered)];
    expect(await ask('c', () => Promise.reject(new Error('reset')))).toBeUndefined();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect([isAway(), told]).toEqual([true, ['away: reset']]);
  });

  test('is told that it is away when something stays unanswered for too long', async () => {
    const { ask, told } = open(60);
    expect(await ask('a', unanswered)).toBeUndefined();
    expect(told).toEqual(['away: timed out after 60 ms']);
  });

  test('does not ask again while it is away', async () => {
    const { ask, trip } = open();
    trip('a', new Error('gone'));
    expect(
      await ask('b', () => {
        throw new Error('asked');
      }),
    ).toBeUndefined();
  });

  test('hears nothing of an answer that comes when it was given up', async () => {
    const { ask, trip, told } = open();
    const late = Promise.withResolvers<string>();
    const asked = ask('a', () => late.promise);
    trip('b', new Error('gone'));
    late.reject(new Error('too late'));
    expect(await asked).toBeUndefined();
    expect(told).toEqual(['away: gone']);
  });

  test('is given an answer that came while this process was held up', async () => {
    const { ask, told } = open(200);
    const reply = Promise.withResolvers<string>();
    const asked = ask('a', () => reply.promise);
    setTimeout(() => reply.resolve('yes'), 1);
    const heldUntil = performance.now() + 400;
    while (performance.now() < heldUntil);
    expect(await asked).toBe('yes');
    expect(told).toEqual([]);
  });
});

test('nobody waits from the stop on, and nothing is told of it', async () => {
  const { ask, stop, told } = open();
  const waiting = ask('a', unanswered);
  stop();
  expect([await waiting, await ask('b', unanswered)]).toEqual([undefined, undefined]);
  expect(told).toEqual([]);
});

describe('a probe', () => {
  test('finds out that it is away though nobody asks', async () => {
    const { isAway, probes } = open();
    (await waitFor('a probe is sent', () => probes[0])).reply.reject(new Error('gone'));
    await waitFor('it is away', isAway);
  });

  test('asks what failed last, and its answer brings it back', async () => {
    const { ask, isAway, told, probes } = open();
    await ask('a', () => Promise.reject(new Error('reset')));
    const [first] = await waitFor(
      'it is probed',
      () => probes,
      ({ length }) => length > 0,
    );
    first?.reply.reject(new Error('still gone'));
    const probe = await waitFor('it is probed again', () => probes[1]);
    expect(probe.tag).toBe('a');
    expect(isAway()).toBe(true);
    probe.reply.resolve(undefined);
    await waitFor('it is back', () => !isAway());
    expect(told).toEqual(['away: reset', 'back']);
    expect(await ask('a', async () => 'yes')).toBe('yes');
  });

  test('that fails when another has brought it back does not send it away again', async () => {
    const { isAway, trip, told, probes } = open();
    trip('a', new Error('gone'));
    const next = await waitFor('it is probed again', () => probes[1]);
    next.reply.resolve(undefined);
    await waitFor('it is back', () => !isAway());
    probes[0]?.reply.reject(new Error('too late'));
    await Promise.resolve();
    expect([isAway(), told]).toEqual([false, ['away: gone', 'back']]);
  });

  test('that is answered later than a request would wait for does not bring it back', async () => {
    const { isAway, trip, told, probes } = open(60);
    trip('a', new Error('gone'));
    const late = await waitFor('it is probed', () => probes[0]);
    // Longer than the timeout by any measure: late ticks count as a quarter.
    await waitFor('it is probed again and again', () => probes[6]);
    late.reply.resolve(undefined);
    await Promise.resolve();
    expect([isAway(), told]).toEqual([true, ['away: gone']]);
  });
});
