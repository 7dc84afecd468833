import { afterEach, describe, expect, test } from 'bun:test';
import { waitFor } from '../../../test/wait-for.ts';
import { createAvailability } from './availability.redis.ts';

const NEVER = 600_000;

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const open = (timeoutMs = NEVER) => {
  const seen: string[] = [];
  const probes: { tag: string | undefined; reply: PromiseWithResolvers<unknown> }[] = [];
  const availability = createAvailability({
    timeoutMs,
    probe: (tag) => {
      const reply = Promise.withResolvers<unknown>();
      probes.push({ tag, reply });
      return reply.promise;
    },
    onAway: (error) => seen.push(`away: ${(error as Error).message}`),
    onBack: () => seen.push('back'),
  });
  stops.push(availability.stop);
  return { ...availability, seen, probes };
};

const unanswered = () => new Promise<never>(() => undefined);

describe('a request to Redis', () => {
  test('gets the response, however slow', async () => {
    const { ask, seen } = open();
    const reply = Promise.withResolvers<string>();
    const asked = ask('a', () => reply.promise);
    setTimeout(() => reply.resolve('yes'), 100);
    expect(await asked).toBe('yes');
    expect(seen).toEqual([]);
  });

  test('fails immediately when another request fails, even if it is still waiting', async () => {
    const { ask, isAway, seen } = open();
    const waiting = [ask('a', unanswered), ask('b', unanswered)];
    expect(await ask('c', () => Promise.reject(new Error('reset')))).toBeUndefined();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect([isAway(), seen]).toEqual([true, ['away: reset']]);
  });

  test('fails when a response takes too long', async () => {
    const { ask, seen } = open(60);
    expect(await ask('a', unanswered)).toBeUndefined();
    expect(seen).toEqual(['away: timed out after 60 ms']);
  });

  test('is not sent while Redis is unavailable', async () => {
    const { ask, trip } = open();
    trip('a', new Error('gone'));
    expect(
      await ask('b', () => {
        throw new Error('asked');
      }),
    ).toBeUndefined();
  });

  test('ignores a response that arrives after it failed', async () => {
    const { ask, trip, seen } = open();
    const late = Promise.withResolvers<string>();
    const asked = ask('a', () => late.promise);
    trip('b', new Error('gone'));
    late.reject(new Error('too late'));
    expect(await asked).toBeUndefined();
    expect(seen).toEqual(['away: gone']);
  });

  test('gets a response that arrived while this process was blocked', async () => {
    const { ask, seen } = open(200);
    const reply = Promise.withResolvers<string>();
    const asked = ask('a', () => reply.promise);
    setTimeout(() => reply.resolve('yes'), 1);
    const heldUntil = performance.now() + 400;
    while (performance.now() < heldUntil);
    expect(await asked).toBe('yes');
    expect(seen).toEqual([]);
  });
});

test('after the stop, no request waits and nothing is logged', async () => {
  const { ask, stop, seen } = open();
  const waiting = ask('a', unanswered);
  stop();
  expect([await waiting, await ask('b', unanswered)]).toEqual([undefined, undefined]);
  expect(seen).toEqual([]);
});

describe('a probe', () => {
  test('detects an unavailable Redis without requests', async () => {
    const { isAway, probes } = open();
    (await waitFor('a probe is sent', () => probes[0])).reply.reject(new Error('gone'));
    await waitFor('it is away', isAway);
  });

  test('repeats the call that failed last, and its success ends the outage', async () => {
    const { ask, isAway, seen, probes } = open();
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
    expect(seen).toEqual(['away: reset', 'back']);
    expect(await ask('a', async () => 'yes')).toBe('yes');
  });

  test('that fails after another one succeeded does not start an outage', async () => {
    const { isAway, trip, seen, probes } = open();
    trip('a', new Error('gone'));
    const next = await waitFor('it is probed again', () => probes[1]);
    next.reply.resolve(undefined);
    await waitFor('it is back', () => !isAway());
    probes[0]?.reply.reject(new Error('too late'));
    await Promise.resolve();
    expect([isAway(), seen]).toEqual([false, ['away: gone', 'back']]);
  });

  test('that takes longer than a request may wait does not end the outage', async () => {
    const { isAway, trip, seen, probes } = open(60);
    trip('a', new Error('gone'));
    const late = await waitFor('it is probed', () => probes[0]);
    await waitFor('it is probed again and again', () => probes[6]);
    late.reply.resolve(undefined);
    await Promise.resolve();
    expect([isAway(), seen]).toEqual([true, ['away: gone']]);
  });
});
