import { describe, expect, test } from 'bun:test';
import { unavailable } from './connection.ts';
import { createRowQueues } from './queues.ts';

const AWAY = unavailable(new Error('away'));

const createQueues = ({ most = 100, waitMs = 60_000 } = {}) => createRowQueues(most, waitMs);

const openWork = () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { work: () => promise, end: resolve, fail: reject };
};

describe('work for one row', () => {
  test('runs one after another, in order of arrival', async () => {
    const queues = createQueues();
    const done: number[] = [];
    let running = 0;
    const work = async (index: number) => {
      running += 1;
      expect(running).toBe(1);
      await Bun.sleep(0);
      running -= 1;
      done.push(index);
    };
    const order = Array.from({ length: 100 }, (_, index) => index);
    await Promise.all(order.map((index) => queues.run('a', () => work(index))));
    expect(done).toEqual(order);
  });

  test('continues after a failure, which only its own caller sees', async () => {
    const queues = createQueues();
    const first = openWork();
    const failed = queues.run('a', first.work);
    const second = queues.run('a', async () => 'second');
    first.fail(new Error('no'));
    await expect(failed).rejects.toThrow('no');
    expect(await second).toBe('second');
  });

  test('fails immediately, together with the work before it, if the database is unavailable', async () => {
    const queues = createQueues();
    const first = openWork();
    const all = [queues.run('a', first.work), ...[1, 2].map(() => queues.run('a', async () => 'never'))];
    const seen = Promise.allSettled(all);
    first.fail(AWAY);
    expect(await seen).toEqual(Array(3).fill({ status: 'rejected', reason: AWAY }));
    expect(await queues.run('a', async () => 'the next')).toBe('the next');
  });

  test('waits for its turn until the time limit, then makes way for the next', async () => {
    const queues = createQueues({ waitMs: 1 });
    const first = openWork();
    const running = queues.run('a', first.work);
    await expect(queues.run('a', async () => 'never')).rejects.toHaveProperty(
      'cause.message',
      'waited 1 ms for earlier transactions on the same row',
    );
    first.end('first');
    expect(await running).toBe('first');
    expect(await queues.run('a', async () => 'the next')).toBe('the next');
  });
});

test("a row's queue has a limit, and work beyond it is refused immediately", async () => {
  const queues = createQueues({ most: 2 });
  const first = openWork();
  const served = [first.work, async () => 'second', async () => 'third'].map((work) => queues.run('a', work));
  await expect(queues.run('a', async () => 'never')).rejects.toHaveProperty(
    'cause.message',
    '2 transactions are already waiting for the same row',
  );
  expect(await queues.run('b', async () => 'other')).toBe('other');
  first.end('first');
  expect(await Promise.all(served)).toEqual(['first', 'second', 'third']);
});

test('work for another row does not wait', async () => {
  const queues = createQueues();
  const first = openWork();
  const running = queues.run('a', first.work);
  expect(await queues.run('b', async () => 'other')).toBe('other');
  first.end('first');
  await running;
});

test("a row's queue is removed when its last work ends", async () => {
  const queues = createQueues({ waitMs: 1 });
  const first = openWork();
  const running = [queues.run('a', first.work), queues.run('a', async () => 'late')];
  const seen = Promise.allSettled([...running, queues.run('b', async () => Promise.reject(AWAY))]);
  expect(queues.size()).toBe(2);
  await running[1]?.catch(() => undefined);
  first.end('first');
  await seen;
  expect(queues.size()).toBe(0);
});
