import { expect, test } from 'bun:test';
import { createIdBlocks } from './id-blocks.ts';

const open = () => {
  const highest = new Map<string, bigint>();
  const sizes: number[] = [];
  const nextIds = createIdBlocks(async (kind, storeId, count) => {
    const name = `${kind} ${storeId}`;
    highest.set(name, (highest.get(name) ?? 0n) + BigInt(count));
    sizes.push(count);
    return highest.get(name) as bigint;
  });
  return { nextIds, sizes };
};

test('each store and kind starts at 1', async () => {
  const { nextIds } = open();
  expect(await nextIds('pets', 1n, 1)).toEqual([1n]);
  expect(await nextIds('pets', 2n, 2)).toEqual([1n, 2n]);
  expect(await nextIds('orders', 1n, 1)).toEqual([1n]);
});

test('concurrent callers get different ids, from blocks that double up to 64', async () => {
  const { nextIds, sizes } = open();
  const ids = (await Promise.all(Array.from({ length: 200 }, () => nextIds('pets', 1n, 1)))).flat();
  expect(new Set(ids).size).toBe(200);
  expect(sizes).toEqual([1, 2, 4, 8, 16, 32, 64, 64, 64]);
});

test('a caller that asks for many ids gets them in one block', async () => {
  const { nextIds, sizes } = open();
  expect((await nextIds('pets', 1n, 1000)).at(-1)).toBe(1000n);
  expect(sizes).toEqual([1000]);
});

test('a failed reservation affects only its own caller', async () => {
  let calls = 0;
  const nextIds = createIdBlocks(async () => {
    calls += 1;
    if (calls === 1) throw new Error('away');
    return 1n;
  });
  const [first, second] = await Promise.allSettled([nextIds('pets', 1n, 1), nextIds('pets', 1n, 1)]);
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
});
