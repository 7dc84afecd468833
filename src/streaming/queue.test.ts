import { describe, expect, test } from 'bun:test';
import { waitFor } from '../../test/wait-for.ts';
import { createStreamQueue } from './queue.ts';

const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

const start = () => {
  const logged: string[] = [];
  const queue = createStreamQueue({ log: { warn: (event) => logged.push(event) } });
  const made: string[] = [];
  const read = (answer: string) => async () => {
    made.push(answer);
    if (answer.endsWith('broken')) throw new Error('cannot be read');
    return { answer };
  };
  const ask = (storeId: bigint, question: string) =>
    new Promise<{ answer: string }>((receive, fail) => {
      queue.enqueue(storeId, question, read(`${storeId}/${question}`), { receive, fail });
    });
  return { queue, ask, read, made, logged };
};

describe('the stream queue', () => {
  test('makes one read per turn of the event loop, however many are waiting', async () => {
    const { ask, made } = start();
    const asked = Promise.all(Array.from({ length: 50 }, (_, index) => ask(1n, String(index))));
    for (let turns = 0; turns < 50; turns += 1) {
      expect(made.length).toBeLessThanOrEqual(turns);
      await turnOfTheLoop();
    }
    expect(await asked).toHaveLength(50);
  });

  test('lets stores take turns, so that a store with few reads does not wait for all reads of another', async () => {
    const { ask, made } = start();
    const many = Array.from({ length: 100 }, (_, index) => ask(1n, String(index)));
    await turnOfTheLoop();
    await ask(2n, 'alone');
    expect(made.length).toBeLessThanOrEqual(4);
    await Promise.all(many);
    expect(made.filter((answer) => answer.startsWith('1/'))).toEqual(
      Array.from({ length: 100 }, (_, index) => `1/${index}`),
    );
  });

  test('reads once for all requests with the same key, and again for later requests', async () => {
    const { ask, made } = start();
    const answers = await Promise.all(Array.from({ length: 1000 }, () => ask(1n, 'same')));
    expect(new Set(answers).size).toBe(1);
    expect(made).toEqual(['1/same']);
    await ask(1n, 'same');
    expect(made).toEqual(['1/same', '1/same']);
  });

  test('reads again for a request that arrives during the fan-out', async () => {
    const { queue, ask, read, made } = start();
    const late: Promise<unknown>[] = [];
    let seen = 0;
    const receive = () => {
      seen += 1;
      if (seen === 1) late.push(ask(1n, 'same'));
    };
    for (let index = 0; index < 200; index += 1) {
      queue.enqueue(1n, 'same', read('1/same'), { receive, fail: () => undefined });
    }
    await waitFor('all receivers are served', () => seen === 200);
    await Promise.all(late);
    expect(made).toEqual(['1/same', '1/same']);
  });

  test('delivers to at most 50 receivers per turn, with other stores in between', async () => {
    const { queue, ask, read } = start();
    let seen = 0;
    for (let index = 0; index < 1000; index += 1) {
      queue.enqueue(1n, 'same', read('1/same'), { receive: () => (seen += 1), fail: () => undefined });
    }
    for (let turns = 0; turns < 5; turns += 1) {
      expect(seen).toBeLessThanOrEqual(50 * turns);
      await turnOfTheLoop();
    }
    await ask(2n, 'alone');
    expect(seen).toBeLessThan(1000);
    await ask(1n, 'after them');
    expect(seen).toBe(1000);
  });

  test('does not share reads between stores', async () => {
    const { ask } = start();
    expect(await Promise.all([ask(1n, 'same'), ask(2n, 'same')])).toEqual([{ answer: '1/same' }, { answer: '2/same' }]);
  });

  test('passes a failed read to its receivers only, and logs it once', async () => {
    const { ask, logged } = start();
    const answers = await Promise.allSettled([ask(1n, 'broken'), ask(1n, 'broken'), ask(1n, 'whole')]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(logged).toEqual(['stream_not_read']);
    expect(await ask(1n, 'later')).toEqual({ answer: '1/later' });
  });

  test('continues when a receiver throws', async () => {
    const { queue, ask, read } = start();
    const failed = new Promise<unknown>((fail) => {
      const receive = () => {
        throw new Error('cannot be read');
      };
      queue.enqueue(1n, 'same', read('1/same'), { receive, fail });
    });
    expect(await ask(1n, 'same')).toEqual({ answer: '1/same' });
    expect(await failed).toEqual(new Error('cannot be read'));
  });
});
