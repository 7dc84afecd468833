import { beforeEach, describe, expect, test } from 'bun:test';
import { dismissTask, forEach, startTask, type Task, type TaskProgress, tasks } from './tasks.ts';

beforeEach(() => tasks.set([]));

const START = { title: 'Delete', verb: 'deleted', total: 10 };
const task = (): Task => tasks.get()[0] as Task;

const begin = () => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let progress: TaskProgress | undefined;
  const ended = startTask(START, (given) => {
    progress = given;
    return promise;
  });
  return { ended, resolve, reject, progress: progress as unknown as TaskProgress };
};

describe('a task', () => {
  test('counts finished items and keeps every failure, separately from other tasks', async () => {
    const [one, other] = [begin(), begin()];
    one.progress.add(3);
    one.progress.add(1, [{ what: 'Rex', reason: 'held' }]);
    one.progress.add(0, [{ what: 'Mia', reason: 'gone' }]);
    expect(tasks.get().map(({ done, failed, phase }) => [done, failed.map(({ what }) => what), phase])).toEqual([
      [4, ['Rex', 'Mia'], 'running'],
      [0, [], 'running'],
    ]);
    one.resolve();
    await one.ended;
    expect(tasks.get().map(({ phase }) => phase)).toEqual(['ended', 'running']);
    other.resolve();
    await other.ended;
  });

  test('is stopped, and not ended or failed, after Stop', async () => {
    const { ended, reject, progress } = begin();
    task().stop();
    expect(progress.signal.aborted).toBe(true);
    reject(new Error('aborted'));
    await ended;
    expect([task().phase, task().error]).toEqual(['stopped', undefined]);
  });

  test('whose work returns after Stop is stopped too', async () => {
    const { ended, resolve } = begin();
    task().stop();
    resolve();
    await ended;
    expect(task().phase).toBe('stopped');
  });

  test('keeps the error that ended it', async () => {
    const { ended, reject } = begin();
    reject(new Error('no network'));
    await ended;
    expect([task().phase, task().error?.message]).toEqual(['stopped', 'no network']);
  });

  test('continues from where an earlier part stopped', async () => {
    const failed = [{ what: 'Rex', reason: 'held' }];
    await startTask({ ...START, done: 5, failed }, async ({ add }) => add(2));
    expect(task()).toMatchObject({ done: 7, startedDone: 5, failed });
  });

  test('disappears when it is dismissed, and notifies its owner', async () => {
    let dismissed = 0;
    const onDismiss = () => {
      dismissed += 1;
    };
    await startTask({ ...START, onDismiss }, async () => {});
    await startTask(START, async () => {});
    const [, kept] = tasks.get();
    dismissTask(task());
    expect([tasks.get(), dismissed]).toEqual([[kept as Task], 1]);
  });
});

describe('a bulk task', () => {
  const items = Array.from({ length: 20 }, (_, index) => index);
  const what = (item: number) => `pet ${item}`;

  const createProgress = () => {
    const stopped = new AbortController();
    const seen = { done: 0, failed: [] as string[] };
    const add: TaskProgress['add'] = (done, failed = []) => {
      seen.done += done;
      seen.failed.push(...failed.map((failure) => `${failure.what}: ${failure.reason}`));
    };
    return { stop: () => stopped.abort(), seen, progress: { signal: stopped.signal, add } };
  };

  test('acts once on every item, four at a time', async () => {
    const { seen, progress } = createProgress();
    const acted: number[] = [];
    let [running, most] = [0, 0];
    const act = async (item: number) => {
      running += 1;
      most = Math.max(most, running);
      acted.push(item);
      await Promise.resolve();
      running -= 1;
    };
    await forEach(items, progress, { what, act });
    expect([acted, seen.done, most]).toEqual([items, 20, 4]);
  });

  test('names each failure with its reason, and continues', async () => {
    const { seen, progress } = createProgress();
    const act = async (item: number) => {
      if (item % 10 === 3) throw new Error('held');
    };
    await forEach(items, progress, { what, act });
    expect(seen).toEqual({ done: 18, failed: ['pet 3: held', 'pet 13: held'] });
  });

  test('starts nothing after Stop, and does not count items that Stop interrupted as failed', async () => {
    const { stop, seen, progress } = createProgress();
    const acted: number[] = [];
    const act = async (item: number) => {
      acted.push(item);
      if (item === 5) stop();
      progress.signal.throwIfAborted();
    };
    await forEach(items, progress, { what, act });
    expect(acted.length).toBeGreaterThanOrEqual(6);
    expect(acted.length).toBeLessThan(10);
    expect(seen.failed).toEqual([]);
    expect(seen.done).toBeLessThanOrEqual(5);
  });
});
