import { describe, expect, test } from 'bun:test';
import { createStreamQueue } from './stream-queue.ts';

const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

const start = () => {
  const queue = createStreamQueue<string>();
  const made: string[] = [];
  const ask = (storeId: bigint, question: string) =>
    queue.read(storeId, question, async () => {
      const answer = `${storeId}/${question}`;
      made.push(answer);
      if (question === 'broken') throw new Error('cannot be read');
      return answer;
    });
  return { ask, made };
};

describe('the reads of streams', () => {
  test('are made one in each turn of the loop, however many wait', async () => {
    const { ask, made } = start();
    const asked = Promise.all(Array.from({ length: 50 }, (_, index) => ask(1n, String(index))));
    for (let turns = 0; turns < 50; turns += 1) {
      expect(made.length).toBeLessThanOrEqual(turns);
      await turnOfTheLoop();
    }
    expect(await asked).toHaveLength(50);
  });

  test('take turns by store, so that one that has few waits for few', async () => {
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

  test('are made once for all who ask for the same, and again for who asks later', async () => {
    const { ask, made } = start();
    const answers = await Promise.all(Array.from({ length: 1000 }, () => ask(1n, 'same')));
    expect(new Set(answers)).toEqual(new Set(['1/same']));
    expect(made).toEqual(['1/same']);
    await ask(1n, 'same');
    expect(made).toEqual(['1/same', '1/same']);
  });

  test('are not shared by stores', async () => {
    const { ask } = start();
    expect(await Promise.all([ask(1n, 'same'), ask(2n, 'same')])).toEqual(['1/same', '2/same']);
  });

  test('fail alone', async () => {
    const { ask } = start();
    const answers = await Promise.allSettled([ask(1n, 'broken'), ask(1n, 'broken'), ask(1n, 'whole')]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(await ask(1n, 'later')).toBe('1/later');
  });
});
