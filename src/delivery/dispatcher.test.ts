import { describe, expect, test } from 'bun:test';
import { endpoint, first, many, startDispatcher as start } from '../../test/dispatcher-bench.ts';

describe('the dispatcher', () => {
  test('sends at most 8 deliveries at a time to one endpoint', async () => {
    const bench = start();
    bench.due.set(endpoint('a'), many(40));
    await bench.wake();
    for (let round = 0; round < 32; round++) {
      expect(bench.underWay).toHaveLength(8);
      bench.clock.advance(100);
      await bench.answer(bench.underWay[round % 8] as string, true);
    }
  });

  test('makes first attempts for one pet one after another, and others in parallel', async () => {
    const bench = start();
    bench.due.set(endpoint('a'), [
      first('1', 7n),
      first('2', 7n),
      first('3', 8n),
      { ...first('again', 7n), attempt: 1 },
    ]);
    await bench.wake();
    expect(bench.underWay).toEqual(['1', '3', 'again']);
    await bench.answer('1', false);
    expect(bench.underWay).toEqual(['3', 'again', '2']);
  });

  test.each([0, 1, 2, 3, 4])('does not repeat an attempt that ends %i turns into a pass', async (turns) => {
    const bench = start();
    bench.due.set(endpoint('a'), [first('1'), first('2')]);
    await bench.wake();
    bench.dispatcher.wake();
    for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
    await bench.answer('1', true);
    expect(bench.made).toEqual(['1', '2']);
  });

  test('pauses an endpoint after five failures in a row, then makes single attempts, and doubles the pause after each', async () => {
    const bench = start();
    bench.due.set(endpoint('a'), many(30));
    await bench.wake();
    const begun = bench.underWay;
    for (const id of begun) await bench.answer(id, false);
    expect(bench.made).toHaveLength(8 + 4);
    for (const id of bench.underWay) await bench.answer(id, false);
    for (const pauseMs of [1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1000)) {
      bench.clock.advance(pauseMs - 1);
      await bench.wake();
      expect(bench.underWay).toEqual([]);
      bench.clock.advance(1);
      await bench.wake();
      expect(bench.underWay).toHaveLength(1);
      await bench.answer(bench.underWay[0] as string, false);
    }
  });

  test('does not stay paused when the clock is set back', async () => {
    const bench = start();
    bench.due.set(endpoint('a'), many(30));
    await bench.wake();
    while (bench.underWay.length > 0) await bench.answer(bench.underWay[0] as string, false);
    await bench.wake();
    expect(bench.underWay).toEqual([]);
    bench.clock.advance(-60_000);
    await bench.wake();
    expect(bench.underWay).toHaveLength(1);
  });

  test('sends 8 at a time again after a success', async () => {
    const bench = start();
    bench.due.set(endpoint('a'), many(40));
    await bench.wake();
    while (bench.underWay.length > 0) await bench.answer(bench.underWay[0] as string, false);
    bench.clock.advance(1100);
    await bench.wake();
    expect(bench.underWay).toHaveLength(1);
    await bench.answer(bench.underWay[0] as string, true);
    expect(bench.underWay).toHaveLength(8);
  });

  test('sends 8 at a time again to an endpoint that was unused for ten minutes', async () => {
    const bench = start();
    bench.due.set(endpoint('a'), many(40));
    await bench.wake();
    while (bench.underWay.length > 0) await bench.answer(bench.underWay[0] as string, false);
    bench.clock.advance(10 * 60_000);
    await bench.wake();
    expect(bench.underWay).toHaveLength(1);
    await bench.answer(bench.underWay[0] as string, false);
    bench.clock.advance(10 * 60_000 + 1);
    await bench.wake();
    expect(bench.underWay).toHaveLength(8);
  });

  test('never forgets an endpoint with a running attempt', async () => {
    const bench = start();
    bench.due.set(endpoint('a'), many(40));
    await bench.wake();
    bench.clock.advance(10 * 60_000 + 1);
    await bench.wake();
    expect(bench.made).toHaveLength(8);
  });

  test.each([0, 1, 2, 3, 4])(
    'sends once when it is woken %i turns into a pass over a long unused endpoint',
    async (turns) => {
      const bench = start();
      const unused = endpoint('a');
      bench.due.set(unused, [first('1')]);
      await bench.wake();
      await bench.answer('1', true);
      bench.clock.advance(10 * 60_000 + 1);
      bench.due.set(unused, [first('2')]);
      bench.dispatcher.wake(unused.storeId);
      for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
      await bench.wake();
      expect(bench.made).toEqual(['1', '2']);
    },
  );

  test('counts an attempt whose result cannot be recorded as a failure, and does not repeat it forever', async () => {
    const bench = start();
    bench.due.set(endpoint('a'), [first('1')]);
    await bench.wake();
    for (let failure = 0; failure < 5; failure++) await bench.answer('1', new Error('the disk is full'));
    expect(bench.made).toHaveLength(5);
    expect(bench.errors).toHaveLength(5);
    await bench.wake();
    expect(bench.underWay).toEqual([]);
  });

  test('sends only the deliveries that it could claim', async () => {
    const bench = start();
    bench.due.set(endpoint('a'), [first('claimed elsewhere', 7n), first('2', 8n), first('later', 7n)]);
    await bench.wake(1n);
    expect(bench.underWay).toEqual(['2']);
  });

  test('does not count a delivery that it could not claim as a failure of the endpoint', async () => {
    const bench = start();
    const target = endpoint('a');
    bench.due.set(target, many(8, 'claimed'));
    await bench.wake(1n);
    bench.due.set(target, many(8));
    await bench.wake(1n);
    expect(bench.underWay).toHaveLength(8);
  });

  test('sends and clears nothing unless its instance is the leader', async () => {
    const bench = start();
    bench.due.set(endpoint('a'), many(9));
    bench.state.isLeader = false;
    await bench.wake();
    expect([bench.made, bench.state.clearings]).toEqual([[], 0]);
    bench.state.isLeader = true;
    await bench.wake();
    expect(bench.made).toHaveLength(8);
    bench.state.isLeader = false;
    await bench.answer('d0', true);
    expect(bench.made).toHaveLength(8);
  });

  test('settles stores without due deliveries in a pass over all stores', async () => {
    const bench = start();
    bench.due.set(endpoint('a'), [first('1')]);
    bench.due.set(endpoint('b', 2n), []);
    await bench.wake(2n);
    expect(bench.state.settled).toEqual([]);
    await bench.wake();
    expect(bench.state.settled).toEqual([2n]);
  });

  test('sends before it settles stores, and settles for at most 200 ms per pass', async () => {
    const bench = start();
    const database = Promise.withResolvers<void>();
    bench.state.settling = database.promise;
    bench.due.set(endpoint('a'), [first('1')]);
    for (let store = 2n; store <= 101n; store += 1n) bench.due.set(endpoint('idle', store), []);
    await bench.wake();
    expect([bench.made, bench.state.settled]).toEqual([['1'], [2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n]]);
    bench.clock.advance(200);
    database.resolve();
    await bench.settled();
    expect(bench.state.settled).toHaveLength(8);
    await bench.wake();
    expect(bench.state.settled).toHaveLength(8 + 100);
  });

  test('settles the other stores if one of them fails, and reports each failure', async () => {
    const bench = start();
    const database = Promise.withResolvers<void>();
    bench.state.settling = database.promise;
    for (let store = 1n; store <= 20n; store += 1n) bench.due.set(endpoint('idle', store), []);
    await bench.wake();
    database.reject(new Error('the store cannot be settled'));
    await bench.settled();
    expect([bench.state.settled.length, bench.errors.length]).toEqual([20, 20]);
  });

  test('clears disabled and removed webhooks in a pass over all stores, not after each commit', async () => {
    const bench = start();
    await bench.wake(1n);
    expect(bench.state.clearings).toBe(0);
    await bench.wake();
    await bench.wake();
    expect(bench.state.clearings).toBe(2);
  });

  test('sends to the other endpoints when one cannot be read', async () => {
    const bench = start();
    bench.due.set(endpoint('broken'), [first('1')]);
    bench.due.set(endpoint('whole'), [first('2')]);
    await bench.wake();
    expect(bench.underWay).toEqual(['2']);
    expect(bench.errors).toHaveLength(1);
  });

  test('makes another pass after a failed one', async () => {
    const bench = start();
    bench.state.isDatabaseDown = true;
    bench.due.set(endpoint('a'), [first('1')]);
    await bench.wake();
    expect(bench.underWay).toEqual([]);
    bench.state.isDatabaseDown = false;
    await bench.wake();
    expect(bench.underWay).toEqual(['1']);
  });

  test('pauses after a pass that found nothing, and not while there is work', async () => {
    const bench = start();
    const { promise, resolve } = Promise.withResolvers<void>();
    bench.held.promise = promise;
    await bench.wake(2n);
    for (let commit = 0; commit < 5; commit += 1) await bench.wake(2n);
    expect([bench.passes, bench.state.pauses]).toEqual([[2n], 1]);
    resolve();
    await bench.settled();
    expect([bench.passes, bench.state.pauses]).toEqual([[2n, 2n], 2]);

    bench.state.lagging = 3;
    await bench.wake(2n);
    expect([bench.passes.length, bench.state.pauses]).toEqual([5, 3]);
    bench.due.set(endpoint('a', 2n), many(1));
    await bench.wake(2n);
    expect([bench.underWay, bench.state.pauses]).toEqual([['d0'], 3]);
  });

  test('checks a store with new events once for all events of one turn of the event loop', async () => {
    const bench = start();
    bench.due.set(endpoint('a', 1n), [first('1')]);
    bench.due.set(endpoint('b', 2n), [first('2')]);
    for (let event = 0; event < 100; event++) bench.dispatcher.wake(2n);
    await bench.settled();
    expect(bench.passes).toEqual([2n]);
    expect(bench.underWay).toEqual(['2']);
    await bench.wake();
    expect(bench.passes).toEqual([2n, undefined]);
    expect(bench.underWay).toEqual(['2', '1']);
    bench.dispatcher.wake(2n);
    await bench.wake();
    expect(bench.passes).toEqual([2n, undefined, 2n, undefined]);
  });

  test('fans out events until none are left', async () => {
    const bench = start();
    bench.state.lagging = 5;
    await bench.wake(1n);
    expect(bench.passes).toHaveLength(5);
  });

  test('leaves room for working endpoints when many do not answer', async () => {
    const bench = start();
    for (let dead = 0; dead < 90; dead++) bench.due.set(endpoint(`dead${dead}`), many(20, `dead${dead}-`));
    await bench.wake();
    expect(bench.underWay.length).toBeLessThanOrEqual(230);
    bench.due.set(endpoint('well'), [first('immediate')]);
    await bench.wake();
    expect(bench.underWay).toContain('immediate');
  });

  test('leaves room for every store when the endpoints of forty stores do not answer', async () => {
    const bench = start();
    for (let storeId = 1n; storeId <= 40n; storeId += 1n) {
      for (let dead = 0; dead < 100; dead++) {
        bench.due.set(endpoint(`dead${dead}`, storeId), many(20, `dead${storeId}-${dead}-`));
      }
      await bench.wake(storeId);
    }
    bench.due.set(endpoint('well', 41n), [first('immediate'), first('next')]);
    await bench.wake(41n);
    expect(bench.underWay).toContain('immediate');
    await bench.answer('immediate', true);
    expect(bench.underWay).toContain('next');
    expect(bench.underWay.length).toBeLessThanOrEqual(230);
  });

  test('leaves room for several attempts of a store when the endpoints of two others do not answer', async () => {
    const bench = start();
    for (const storeId of [1n, 2n]) {
      for (let dead = 0; dead < 100; dead++) {
        bench.due.set(endpoint(`dead${dead}`, storeId), many(20, `dead${storeId}-${dead}-`));
      }
      await bench.wake(storeId);
    }
    bench.due.set(endpoint('slow', 3n), [first('slow')]);
    await bench.wake(3n);
    bench.due.set(endpoint('well', 3n), many(8, 'well'));
    await bench.wake(3n);
    expect(bench.underWay).toContain('slow');
    expect(bench.underWay.filter((id) => id.startsWith('well'))).toHaveLength(8);
  });

  test('gives each of the 100 webhooks of one store a slot, and leaves 100 slots for other stores', async () => {
    const bench = start();
    for (let dead = 0; dead < 100; dead++) bench.due.set(endpoint(`dead${dead}`), many(20, `dead${dead}-`));
    await bench.wake();
    for (let dead = 0; dead < 100; dead++) expect(bench.underWay).toContain(`dead${dead}-0`);
    expect(bench.underWay.length).toBeLessThanOrEqual(130);
  });

  test('lets waiting endpoints take turns', async () => {
    const bench = start();
    for (const storeId of [1n, 2n, 3n]) {
      for (let slow = 0; slow < 100; slow++) {
        bench.due.set(endpoint(`slow${slow}`, storeId), many(9, `slow${storeId}/${slow}-`));
      }
    }
    await bench.wake();
    expect(bench.underWay.length).toBeLessThan(200);
    for (let round = 0; round < 400; round++) await bench.answer(bench.underWay[0] as string, true);
    expect(new Set(bench.made.map((id) => id.split('-')[0])).size).toBe(300);
  });

  test('starts nothing after it is stopped, and is idle when the last attempt has ended', async () => {
    const bench = start();
    bench.due.set(endpoint('a'), many(9));
    await bench.wake();
    let isIdle = false;
    const idle = bench.dispatcher.stop().then(() => {
      isIdle = true;
    });
    await bench.settled();
    expect(isIdle).toBeFalse();
    for (const id of bench.underWay) await bench.answer(id, true);
    await idle;
    await bench.wake();
    expect(bench.made).not.toContain('d8');
  });

  test.each([0, 1, 2, 3, 4])('starts nothing more if it is stopped %i turns into a pass', async (turns) => {
    const bench = start({ patienceMs: 0 });
    bench.due.set(endpoint('a'), many(9));
    bench.dispatcher.wake();
    for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
    const begun = [...bench.made];
    await bench.dispatcher.stop();
    expect(bench.made).toEqual(begun);
  });

  test('waits only for a limited time for a missing answer on shutdown', async () => {
    const bench = start({ patienceMs: 0 });
    bench.due.set(endpoint('a'), many(9));
    await bench.wake();
    await bench.dispatcher.stop();
    expect(bench.made).toHaveLength(8);
  });
});
