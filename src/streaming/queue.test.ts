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

describe('what streams read', () => {
  test('is read one portion in each turn of the loop, however many wait', async () => {
    const { ask, made } = start();
    const asked = Promise.all(Array.from({ length: 50 }, (_, index) => ask(1n, String(index))));
    for (let turns = 0; turns < 50; turns += 1) {
      expect(made.length).toBeLessThanOrEqual(turns);
      await turnOfTheLoop();
    }
    expect(await asked).toHaveLength(50);
  });

  test('is read for one store after another, so that one that has few waits for few', async () => {
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

  test('is read and made once for all who ask for the same, and again for who asks later', async () => {
    const { ask, made } = start();
    const answers = await Promise.all(Array.from({ length: 1000 }, () => ask(1n, 'same')));
    // The same object, not an equal one.
    expect(new Set(answers).size).toBe(1);
    expect(made).toEqual(['1/same']);
    await ask(1n, 'same');
    expect(made).toEqual(['1/same', '1/same']);
  });

  test('is read again for who asks while the others are being told', async () => {
    const { queue, ask, read, made } = start();
    const late: Promise<unknown>[] = [];
    let told = 0;
    const receive = () => {
      told += 1;
      if (told === 1) late.push(ask(1n, 'same'));
    };
    for (let index = 0; index < 200; index += 1) {
      queue.enqueue(1n, 'same', read('1/same'), { receive, fail: () => undefined });
    }
    await waitFor('all are told', () => told === 200);
    await Promise.all(late);
    expect(made).toEqual(['1/same', '1/same']);
  });

  test('is told to no more than 50 in a turn, and to another store in between', async () => {
    const { queue, ask, read } = start();
    let told = 0;
    for (let index = 0; index < 1000; index += 1) {
      queue.enqueue(1n, 'same', read('1/same'), { receive: () => (told += 1), fail: () => undefined });
    }
    for (let turns = 0; turns < 5; turns += 1) {
      expect(told).toBeLessThanOrEqual(50 * turns);
      await turnOfTheLoop();
    }
    await ask(2n, 'alone');
    expect(told).toBeLessThan(1000);
    await ask(1n, 'after them');
    expect(told).toBe(1000);
  });

  test('is not shared by stores', async () => {
    const { ask } = start();
    expect(await Promise.all([ask(1n, 'same'), ask(2n, 'same')])).toEqual([{ answer: '1/same' }, { answer: '2/same' }]);
  });

  test('fails alone, and is logged once for all who asked for it', async () => {
    const { ask, logged } = start();
    const answers = await Promise.allSettled([ask(1n, 'broken'), ask(1n, 'broken'), ask(1n, 'whole')]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(logged).toEqual(['stream_not_read']);
    expect(await ask(1n, 'later')).toEqual({ answer: '1/later' });
  });

  test('goes on when somebody cannot be told', async () => {
    const { queue, ask, read } = start();
    const failed = new Promise<unknown>((fail) => {
      const receive = () => {
        throw new Error('cannot be told');
      };
      queue.enqueue(1n, 'same', read('1/same'), { receive, fail });
    });
    expect(await ask(1n, 'same')).toEqual({ answer: '1/same' });
    expect(await failed).toEqual(new Error('cannot be told'));
  });
});
