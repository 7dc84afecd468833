import { describe, expect, test } from 'bun:test';
import { createInFlight } from './run-once.ts';

const openRun = () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const started = Promise.withResolvers<() => void>();
  const run = (begin: () => void) => {
    started.resolve(begin);
    return promise;
  };
  return { run, started: started.promise, end: resolve, fail: reject };
};

const IN_PROGRESS = { code: 'idempotency_in_progress' };

describe('requests with the same key', () => {
  test('are refused while one does new work, and accepted afterwards', async () => {
    const run = createInFlight();
    const first = openRun();
    const answer = run('a', first.run);
    (await first.started)();
    await expect(run('a', async () => 'second')).rejects.toMatchObject(IN_PROGRESS);
    first.end('first');
    expect(await answer).toBe('first');
    expect(await run('a', async () => 'third')).toBe('third');
  });

  test('are refused even if they arrived before the first one began new work', async () => {
    const run = createInFlight();
    const first = openRun();
    const answer = run('a', first.run);
    const others = Promise.allSettled([run('a', async () => 'second'), run('a', async () => 'third')]);
    (await first.started)();
    expect(await others).toEqual([
      { status: 'rejected', reason: expect.objectContaining(IN_PROGRESS) },
      { status: 'rejected', reason: expect.objectContaining(IN_PROGRESS) },
    ]);
    first.end('first');
    expect(await answer).toBe('first');
  });

  test('run one after another while none does new work', async () => {
    const run = createInFlight();
    let running = 0;
    const replay = async () => {
      running += 1;
      await Promise.resolve();
      const together = running;
      running -= 1;
      return together;
    };
    expect(await Promise.all([run('a', replay), run('a', replay), run('a', replay)])).toEqual([1, 1, 1]);
  });

  test('continue one at a time if the first one fails before it begins new work', async () => {
    const run = createInFlight();
    const first = openRun();
    const failed = run('a', first.run);
    const others = Promise.allSettled(
      ['second', 'third'].map((name) =>
        run('a', async (begin) => {
          begin();
          await Promise.resolve();
          return name;
        }),
      ),
    );
    first.fail(new Error('cut off'));
    await expect(failed).rejects.toThrow('cut off');
    expect((await others).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  test('are accepted after one that failed', async () => {
    const run = createInFlight();
    const failing = run('a', async (begin) => {
      begin();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await run('a', async () => 'second')).toBe('second');
  });
});

test('requests with other keys do not wait', async () => {
  const run = createInFlight();
  const first = openRun();
  const answer = run('a', first.run);
  (await first.started)();
  expect(await run('b', async () => 'other')).toBe('other');
  first.end('first');
  await answer;
});
