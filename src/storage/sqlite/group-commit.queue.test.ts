import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { fakeGroupCommitDeps } from '../../../test/group-commit.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import { type CommitState, fillGroup, newCommitState } from './group-commit.ts';
import type { Group } from './group-transaction.ts';

describe('the queue of transactions', () => {
  let queue: CommitState;
  const add = (name: string) => {
    const settle = { resolve: () => undefined, reject: () => undefined };
    const queued = name.startsWith('long') ? queue.long : queue.short;
    queued.push({ body: () => name, queuedAt: 0, outcome: undefined, ...settle });
  };
  const fill = (names: string) => {
    queue = newCommitState(fakeGroupCommitDeps(), () => 0);
    for (const name of names.split(' ')) add(name);
  };
  const isEmpty = () => queue.short.length + queue.long.length === 0;
  const runNext = async (): Promise<unknown[]> => {
    const group: Group = { transactions: [], isLong: false, ran: 0, succeeded: 0 };
    fillGroup(queue, group);
    fillGroup(queue, group);
    const names = await Promise.all(group.transactions.map(({ body }) => body(new Set())));
    expect(group.isLong).toBe(String(names[0]).startsWith('long'));
    return names;
  };

  test('gives each long transaction its own group, followed by the short ones', async () => {
    fill('a b long1 long2 long3 c');
    const groups: unknown[][] = [];
    while (!isEmpty()) groups.push(await runNext());
    expect(groups).toEqual([['long1', 'a', 'b', 'c'], ['long2'], ['long3']]);
  });

  test('makes a short transaction wait for at most one long one', async () => {
    fill('long1 long2 long3 long4');
    expect(await runNext()).toEqual(['long1']);
    add('late');
    expect(await runNext()).toEqual(['late']);
    expect(await runNext()).toEqual(['long2']);
  });

  test('makes a long transaction wait for at most one group of short ones', async () => {
    fill('a long1 long2');
    expect(await runNext()).toEqual(['long1', 'a']);
    for (let more = 0; more < 3; more += 1) add('more');
    expect(await runNext()).toEqual(['more', 'more', 'more']);
    add('more');
    expect(await runNext()).toEqual(['long2', 'more']);
  });

  test('puts at most 256 transactions into a group, including late arrivals', async () => {
    fill(['long', ...Array(600).fill('a')].join(' '));
    const sizes: number[] = [];
    while (!isEmpty()) sizes.push((await runNext()).length);
    expect(sizes).toEqual([256, 256, 89]);
  });
});

describe('a long transaction', () => {
  let opened: TestDatabase;
  beforeEach(async () => {
    opened = openTestDatabase();
    await opened.database.write(SYSTEM_CALL, ({ stores }) => stores.open(1n));
  });
  afterEach(() => opened.close());

  const pet = (name: string) => ({ name, categoryId: 1n, status: 'available' as const });
  const stored = async () =>
    (await opened.database.read(1n).pets.list({}, { limit: 9, order: 'asc' })).map(({ name }) => name);

  test('is invisible until its commit, and reads run while it pauses', async () => {
    const seen: string[][] = [];
    const written = opened.database.write(
      SYSTEM_CALL,
      async ({ pets, pause }) => {
        await pets.insertMany([pet('one')]);
        await pause();
        seen.push(await stored());
        await pets.insertMany([pet('two')]);
      },
      undefined,
      true,
    );
    await written;
    expect(seen).toEqual([[]]);
    expect(await stored()).toEqual(['one', 'two']);
  });

  test('is undone alone if it fails after a pause', async () => {
    const failing = opened.database.write(
      SYSTEM_CALL,
      async ({ pets, pause }) => {
        await pets.insertMany([pet('gone')]);
        await pause();
        throw new Error('no');
      },
      undefined,
      true,
    );
    const others = ['a', 'b'].map((name) => opened.database.write(SYSTEM_CALL, ({ pets }) => pets.insert(pet(name))));
    await expect(failing).rejects.toThrow('no');
    await Promise.all(others);
    expect(await stored()).toEqual(['a', 'b']);
    expect(await opened.database.read(1n).pets.inventory()).toEqual({ available: 2n, pending: 0n, sold: 0n });
  });

  test('is committed with later arrivals; if one of these fails, it alone is undone; nothing runs twice', async () => {
    const runs: string[] = [];
    const add = (name: string, isLong = false) =>
      opened.database.write(
        SYSTEM_CALL,
        async ({ pets, pause }) => {
          runs.push(name);
          await pets.insert(pet(name));
          if (isLong) await pause();
          if (name === 'failing') throw new Error('no');
        },
        undefined,
        isLong,
      );
    const before = opened.database.commits?.() ?? 0;
    const all = [add('long', true), add('a'), add('failing'), add('b')].map((added) => added.catch(() => 'failed'));
    expect(await Promise.all(all)).toEqual([undefined, undefined, 'failed', undefined]);
    expect(runs).toEqual(['long', 'a', 'failing', 'b']);
    expect(await stored()).toEqual(['long', 'a', 'b']);
    expect(opened.database.commits?.()).toBe(before + 1);
  });
});
