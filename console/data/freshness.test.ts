import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { QueryClient } from '@tanstack/react-query';
import { liveState } from './live.ts';

type Poll = (session: { petstore: object; can: () => boolean }, queries: QueryClient) => () => void;

// Tests are compiled without DOM types, so a static import of `freshness.ts` would not compile.
const { pollChanges } = (await import(`${import.meta.dirname}/freshness.ts`)) as { pollChanges: Poll };

const tab = Object.assign(new EventTarget(), { visibilityState: 'visible' });
const show = (state: 'visible' | 'hidden') => {
  tab.visibilityState = state;
  tab.dispatchEvent(new Event('visibilitychange'));
};

let timers: { run: () => void; ms: number }[];
let counts: number;
let total: number;
let queries: QueryClient;
let stop: () => void;

const settle = () => new Promise((resolve) => setImmediate(resolve));
/** Runs all timers, as if their intervals had passed. `times` is the number of runs. */
const pass = async (times = 1) => {
  for (let time = 0; time < times; time += 1) {
    for (const { run } of timers) run();
    await settle();
  }
};

const takeRefreshed = (): unknown[] => {
  const refreshed = queries.getQueryCache().findAll({ predicate: ({ state }) => state.isInvalidated });
  for (const query of refreshed) query.setData([]);
  return refreshed.map(({ queryKey }) => queryKey[0]);
};

beforeEach(() => {
  [timers, counts, total] = [[], 0, 5];
  Object.assign(globalThis, { document: tab });
  show('visible');
  liveState.set('off');
  spyOn(globalThis, 'setInterval').mockImplementation(((run: () => void, ms: number) =>
    timers.push({ run, ms })) as unknown as typeof setInterval);
  queries = new QueryClient();
  for (const name of ['pets', 'keys']) {
    queries
      .getQueryCache()
      .build(queries, { queryKey: [name] })
      .setData([]);
  }
  const count = async () => {
    counts += 1;
    return { total };
  };
  stop = pollChanges({ petstore: { events: { count } }, can: () => true }, queries);
});
afterEach(() => {
  stop();
  (globalThis.setInterval as unknown as { mockRestore(): void }).mockRestore();
  Reflect.deleteProperty(globalThis, 'document');
});

describe('the check for changes without live events', () => {
  test('runs every 10 seconds while the tab is visible', async () => {
    expect(timers.map(({ ms }) => ms)).toEqual([10_000]);
    await pass(3);
    expect(counts).toBe(3);
  });

  test('pauses while the tab is hidden, and runs as soon as it is shown', async () => {
    await pass();
    show('hidden');
    await pass(100);
    expect(counts).toBe(1);
    show('visible');
    await settle();
    expect(counts).toBe(2);
  });

  test('pauses while events arrive live', async () => {
    liveState.set('live');
    await pass(100);
    expect(counts).toBe(0);
  });

  test('refreshes pets only if there are new events, and keys always', async () => {
    await pass();
    expect(takeRefreshed()).toEqual(['pets', 'keys']);
    await pass();
    expect(takeRefreshed()).toEqual(['keys']);
    total += 1;
    await pass();
    expect(takeRefreshed()).toEqual(['pets', 'keys']);
  });

  test('stops with its page', async () => {
    stop();
    show('hidden');
    show('visible');
    await settle();
    expect(counts).toBe(0);
  });
});
