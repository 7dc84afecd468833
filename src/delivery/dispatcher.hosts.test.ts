import { describe, expect, test } from 'bun:test';
import { endpoint, first, many, startDispatcher } from '../../test/dispatcher-bench.ts';
import { waitFor } from '../../test/wait-for.ts';
import type { DueEndpoint } from '../resources/webhooks/webhooks.repository.ts';

const HOST = 'https://target.example/';

const at = (webhookId: string, storeId = 1n, url = `${HOST}${webhookId}`): DueEndpoint => ({
  ...endpoint(webhookId, storeId),
  url,
});
const range = (length: number) => Array.from({ length }, (_, index) => index);

type Bench = ReturnType<typeof startDispatcher>;

const run = async (bench: Bench, { forMs, stepMs = 50, isDelivered = true }: RunOptions): Promise<number[]> => {
  const madeAt: number[] = [];
  const note = (elapsedMs: number) => {
    while (madeAt.length < bench.made.length) madeAt.push(elapsedMs);
  };
  for (let elapsedMs = 0; elapsedMs < forMs; elapsedMs += stepMs) {
    await bench.wake();
    note(elapsedMs);
    for (const id of bench.underWay) await bench.answer(id, isDelivered);
    note(elapsedMs);
    bench.clock.advance(stepMs);
  }
  return madeAt;
};
type RunOptions = { forMs: number; stepMs?: number; isDelivered?: boolean };

const maxInASecond = (times: readonly number[]): number =>
  Math.max(...times.map((from) => times.filter((one) => one >= from && one < from + 1000).length));

describe('a hundred webhooks with the same host', () => {
  const spellings = [HOST, 'https://TARGET.example:443/', 'https://target.example./', 'https://target.example/?a='];

  test('together send at most 20 requests a second, however the host is spelled, in any stores, and lose no delivery', async () => {
    const bench = startDispatcher();
    for (const index of range(100)) {
      const url = `${spellings[index % spellings.length]}${index}`;
      bench.due.set(at(`w${index}`, BigInt(1 + (index % 3)), url), many(3, `w${index}-`));
    }
    const times = await run(bench, { forMs: 18_000 });
    expect(maxInASecond(times)).toBe(20);
    expect(new Set(bench.made).size).toBe(300);
    expect(bench.made).toHaveLength(300);
  });

  test('cause no reads of deliveries while others use up the budget of the host', async () => {
    const bench = startDispatcher();
    for (const index of range(100)) bench.due.set(at(`w${index}`), many(3, `w${index}-`));
    await run(bench, { forMs: 5000 });
    expect(bench.made.length).toBeGreaterThan(60);
    expect(bench.state.reads).toBeLessThan(1.5 * bench.made.length);
  });

  test('have at most 32 running attempts, and at most 16 in one store', async () => {
    const bench = startDispatcher();
    for (const index of range(50)) bench.due.set(at(`w${index}`), many(3, `one-${index}-`));
    await bench.wake();
    expect(bench.underWay).toHaveLength(16);
    bench.clock.advance(1100);
    for (const index of range(50)) bench.due.set(at(`w${index}`, 2n), many(3, `two-${index}-`));
    await bench.wake();
    expect(bench.underWay.filter((id) => id.startsWith('two'))).toHaveLength(8);
    bench.clock.advance(1100);
    for (const storeId of range(20)) bench.due.set(at('w', BigInt(storeId + 3)), many(3, `more-${storeId}-`));
    for (let step = 0; step < 50; step += 1) {
      await bench.wake();
      bench.clock.advance(50);
    }
    expect(bench.underWay).toHaveLength(32);
  });

  test('leave slots for working endpoints of the same store when one does not answer', async () => {
    const bench = startDispatcher();
    bench.due.set(at('hangs'), many(40, 'hangs-'));
    await bench.wake();
    expect(bench.underWay).toHaveLength(8);
    bench.due.set(at('hangs too'), many(40, 'hangs too-'));
    bench.clock.advance(1100);
    await bench.wake();
    expect(bench.underWay).toHaveLength(12);
    bench.due.set(at('works'), many(10, 'works-'));
    for (let step = 0; step < 40; step += 1) {
      bench.clock.advance(50);
      await bench.wake();
      for (const id of bench.underWay.filter((one) => one.startsWith('works'))) await bench.answer(id, true);
    }
    expect(bench.made.filter((id) => id.startsWith('works'))).toHaveLength(10);
  });

  test('do not delay webhooks with another host, in the same store or another', async () => {
    const bench = startDispatcher();
    for (const index of range(100)) bench.due.set(at(`w${index}`), many(30, `w${index}-`));
    await run(bench, { forMs: 1000 });
    for (const storeId of [1n, 2n]) bench.due.set(endpoint('neighbour', storeId), [first(`neighbour of ${storeId}`)]);
    await bench.wake(1n);
    await bench.wake(2n);
    expect(bench.underWay).toEqual(expect.arrayContaining(['neighbour of 1', 'neighbour of 2']));
  });

  test('leave a turn for a store with one webhook', async () => {
    const bench = startDispatcher();
    for (const index of range(100)) bench.due.set(at(`w${index}`), many(30, `w${index}-`));
    await run(bench, { forMs: 2000 });
    bench.due.set(at('single', 2n), many(10, 'single-'));
    const before = bench.made.length;
    await run(bench, { forMs: 2000 });
    expect(bench.made.filter((id) => id.startsWith('single'))).toHaveLength(10);
    expect(bench.made.length - before).toBeLessThanOrEqual(60);
  });

  test('do not wait for a store that has nothing left to send', async () => {
    const bench = startDispatcher();
    const gone = at('gone');
    bench.due.set(gone, many(60, 'gone-'));
    bench.due.set(at('other', 2n), many(60, 'other-'));
    await run(bench, { forMs: 1000 });
    bench.due.delete(gone);
    const before = bench.made.length;
    await run(bench, { forMs: 1500 });
    expect(bench.made.length - before).toBeGreaterThanOrEqual(20);
  });

  test('take turns', async () => {
    const bench = startDispatcher();
    for (const index of range(40)) bench.due.set(at(`w${index}`), many(30, `w${index}-`));
    await run(bench, { forMs: 10_000 });
    const heard = new Map(
      range(40).map((index) => [index, bench.made.filter((id) => id.startsWith(`w${index}-`)).length]),
    );
    expect(Math.min(...heard.values())).toBeGreaterThanOrEqual(3);
  });

  test('make first attempts for one pet in order while they wait for their turn', async () => {
    const bench = startDispatcher();
    for (const index of range(60)) {
      bench.due.set(at(`w${index}`), [first(`w${index}-1`, 7n), first(`w${index}-2`, 7n), first(`w${index}-3`, 7n)]);
    }
    await run(bench, { forMs: 12_000 });
    expect(bench.made).toHaveLength(180);
    for (const index of range(60)) {
      const own = bench.made.filter((id) => id.startsWith(`w${index}-`));
      expect(own).toEqual([`w${index}-1`, `w${index}-2`, `w${index}-3`]);
    }
  });

  test('are woken when it is their turn, without a pass over all stores', async () => {
    const bench = startDispatcher({ elapsed: () => performance.now() });
    bench.due.set(at('a'), many(30));
    bench.dispatcher.wake(1n);
    const answerAll = async () => {
      for (const id of bench.underWay) await bench.answer(id, true);
      return bench.made.length === 30;
    };
    await waitFor('all attempts are made', answerAll);
    expect(bench.passes).not.toContain(undefined);
  });
});

describe('retries', () => {
  const again = (count: number, prefix: string) => many(count, prefix).map((one) => ({ ...one, attempt: 1 }));

  test('use at most 5 of the 20 requests a second', async () => {
    const bench = startDispatcher();
    for (const index of range(20)) bench.due.set(at(`w${index}`), again(20, `again${index}-`));
    const times = await run(bench, { forMs: 5000 });
    expect(maxInASecond(times)).toBe(5);
  });

  test('never delay a first attempt, however many there are', async () => {
    const bench = startDispatcher();
    bench.due.set(at('a'), [...again(500, 'again'), ...many(30, 'new')]);
    await run(bench, { forMs: 3000 });
    expect(bench.made.filter((id) => id.startsWith('new'))).toHaveLength(30);
    expect(bench.made.filter((id) => id.startsWith('again')).length).toBeWithin(10, 21);
  });

  test('of one store leave a turn for those of another', async () => {
    const bench = startDispatcher();
    for (const index of range(50)) bench.due.set(at(`w${index}`), again(50, `one${index}-`));
    await run(bench, { forMs: 2000 });
    bench.due.set(at('w', 2n), again(3, 'two-'));
    await run(bench, { forMs: 2500 });
    expect(bench.made.filter((id) => id.startsWith('two-'))).toHaveLength(3);
  });
});

describe('a delivery of an event that the key of its webhook may not read', () => {
  test('is given up without an attempt, and later deliveries are sent', async () => {
    const bench = startDispatcher();
    const placed = (id: string) => ({ ...first(id), scopes, event: { type: 'order.placed' } as never });
    const scopes = ['pets:read'] as const;
    const orders = range(200).map((index) => placed(`order${index}`));
    bench.due.set(endpoint('a'), [...orders, { ...first('pet'), scopes }]);
    await bench.wake();
    expect(bench.made).toEqual(['pet']);
    expect(bench.state.givenUp).toHaveLength(200);
    bench.due.set(endpoint('dead'), [{ ...first('unheard'), scopes: undefined }]);
    await bench.wake();
    expect(bench.state.givenUp).toContain('unheard');
  });
});
