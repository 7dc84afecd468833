import { describe, expect, test } from 'bun:test';
import { fakeGroupCommitDeps } from '../../../test/group-commit.ts';
import { storageFailure } from './connection.ts';
import { begin, commit, createGroupTransaction, type Group, rollBack, runBodies } from './group-transaction.ts';

const BUSY = new Error('busy');

const open = ({
  busyUntil = 0,
  isBroken = false,
  commitError = undefined as unknown,
  failure = undefined as ReturnType<typeof storageFailure> | undefined,
} = {}) => {
  const asked: string[] = [];
  const failed: unknown[] = [];
  const seen = { now: 0, waits: 0, isOpen: false };
  const note = (what: string) => () => void asked.push(what);
  const beginOnce = () => {
    seen.now += 100;
    if (seen.now <= busyUntil) throw BUSY;
    if (isBroken) throw new Error('broken');
    seen.isOpen = true;
  };
  const deps = fakeGroupCommitDeps();
  const transaction = createGroupTransaction({
    ...deps,
    health: {
      failure,
      fail: (cause) => {
        failed.push(cause);
        return storageFailure(cause);
      },
    },
    writer: {
      ...deps.writer,
      run: (text) => {
        asked.push(text);
        if (text === 'BEGIN IMMEDIATE') beginOnce();
        if (text === 'COMMIT' && commitError) throw commitError;
      },
      inTransaction: () => seen.isOpen,
      isBusy: (error) => error === BUSY,
    },
    snapshot: { hold: note('hold'), release: note('release the snapshot') },
    elapsed: () => seen.now,
    whileWaiting: () => {
      seen.waits += 1;
    },
    pause: async () => undefined,
  });
  const group: Group = { transactions: [], isLong: false, ran: 0, succeeded: 0 };
  const nothing = () => undefined;
  const add = (body: () => unknown) =>
    group.transactions.push({
      body,
      queuedAt: 0,
      outcome: undefined,
      resolve: nothing,
      reject: nothing,
    });
  const wrote = (name: string) => () => {
    void transaction.sql.run(name, []);
    return name;
  };
  const writeAndFail = (name: string) => () => {
    wrote(name)();
    throw new Error(name);
  };
  const fail = (name: string) => () => {
    asked.push(name);
    throw new Error(name);
  };
  return { transaction, group, add, asked, failed, seen, wrote, writeAndFail, fail };
};

const outcomesOf = ({ transactions }: Group) =>
  transactions.map(({ outcome }) => outcome && ('value' in outcome ? outcome.value : outcome.error));

describe('a group of transactions', () => {
  test('runs in one transaction without savepoints, and is committed', async () => {
    const { transaction, group, add, asked, wrote } = open();
    add(wrote('a'));
    add(wrote('b'));
    await begin(transaction);
    await runBodies(transaction, group);
    expect(commit(transaction, group)).toBeTrue();
    expect(asked).toEqual(['BEGIN IMMEDIATE', 'a', 'b', 'hold', 'COMMIT']);
    expect(outcomesOf(group)).toEqual(['a', 'b']);
  });

  test('continues after a failed body that has written nothing', async () => {
    const { transaction, group, add, asked, wrote, fail } = open();
    add(wrote('a'));
    add(fail('b'));
    add(wrote('c'));
    await begin(transaction);
    await runBodies(transaction, group);
    expect(commit(transaction, group)).toBeTrue();
    expect(asked).toEqual(['BEGIN IMMEDIATE', 'a', 'b', 'c', 'hold', 'COMMIT']);
  });

  test('is rerun, each body in a savepoint, after a failed body that has written', async () => {
    const { transaction, group, add, asked, wrote, writeAndFail } = open();
    add(wrote('a'));
    add(writeAndFail('b'));
    await begin(transaction);
    await runBodies(transaction, group);
    const again = ['SAVEPOINT one', 'a', 'RELEASE one', 'SAVEPOINT one', 'b', 'ROLLBACK TO one', 'RELEASE one'];
    expect(asked).toEqual(['BEGIN IMMEDIATE', 'a', 'b', 'ROLLBACK', 'BEGIN IMMEDIATE', ...again]);
    expect(outcomesOf(group)).toEqual(['a', new Error('b')]);
  });

  test('is rerun even if only some earlier bodies succeeded, because the rollback undid them, too', async () => {
    const { transaction, group, add, asked, wrote, fail, writeAndFail } = open();
    add(wrote('a'));
    add(fail('b'));
    add(writeAndFail('c'));
    await begin(transaction);
    await runBodies(transaction, group);
    expect(asked.filter((what) => what === 'a')).toHaveLength(2);
    expect(outcomesOf(group)).toEqual(['a', new Error('b'), new Error('c')]);
  });

  test('is not rerun if no earlier body succeeded, and continues without savepoints', async () => {
    const { transaction, group, add, asked, wrote, writeAndFail } = open();
    add(writeAndFail('a'));
    add(wrote('b'));
    await begin(transaction);
    await runBodies(transaction, group);
    expect(asked).toEqual(['BEGIN IMMEDIATE', 'a', 'ROLLBACK', 'BEGIN IMMEDIATE', 'b']);
  });

  test('does not use savepoints just because the previous group did', async () => {
    const { transaction, group, add, asked, wrote, writeAndFail } = open();
    add(wrote('a'));
    add(writeAndFail('b'));
    await begin(transaction);
    await runBodies(transaction, group);
    await begin(transaction);
    asked.length = 0;
    await runBodies(transaction, { ...group, transactions: group.transactions.slice(0, 1), ran: 0, succeeded: 0 });
    expect(asked).toEqual(['a']);
  });

  test('is rolled back if all bodies failed, and not synced', async () => {
    const { transaction, group, add, asked, fail } = open();
    add(fail('a'));
    await begin(transaction);
    await runBodies(transaction, group);
    expect(commit(transaction, group)).toBeFalse();
    expect(asked).toEqual(['BEGIN IMMEDIATE', 'a', 'ROLLBACK']);
  });

  test('is rolled back if all bodies fail when it is rerun', async () => {
    const { transaction, group, add, wrote, writeAndFail } = open();
    let runs = 0;
    add(() => {
      runs += 1;
      return runs === 1 ? wrote('a')() : writeAndFail('a')();
    });
    add(writeAndFail('b'));
    await begin(transaction);
    await runBodies(transaction, group);
    expect([runs, commit(transaction, group)]).toEqual([2, false]);
  });

  test('writes a counter once, with its own commit', async () => {
    const { transaction, group, add, asked, wrote } = open();
    add(() => transaction.sql.nextId('pets', 1n));
    for (const next of [wrote('a'), wrote('b')]) {
      await begin(transaction);
      await runBodies(transaction, group);
      commit(transaction, group);
      add(next);
    }
    expect(asked.filter((text) => text.startsWith('INSERT INTO ids'))).toHaveLength(1);
  });

  test('releases the snapshot of readers if its commit fails, but stops the database if a sync fails', async () => {
    const unsynced = Object.assign(new Error('disk I/O error'), { name: 'SQLiteError', code: 'SQLITE_IOERR_FSYNC' });
    for (const commitError of [new Error('no'), unsynced]) {
      const { transaction, group, add, asked, wrote, failed } = open({ commitError });
      add(wrote('a'));
      await begin(transaction);
      await runBodies(transaction, group);
      expect(() => commit(transaction, group)).toThrow();
      const isUnsynced = commitError === unsynced;
      expect([asked.includes('release the snapshot'), failed]).toEqual([!isUnsynced, isUnsynced ? [unsynced] : []]);
    }
  });

  test('does not begin after a failed sync', async () => {
    const failure = storageFailure(new Error('EIO'));
    const { transaction, asked } = open({ failure });
    await expect(begin(transaction)).rejects.toBe(failure);
    expect(asked).toEqual([]);
  });

  test('fails as a whole once the engine has rolled it back', async () => {
    const { transaction, group, add, seen } = open();
    add(() => {
      seen.isOpen = false;
      throw new Error('the disk is full');
    });
    await begin(transaction);
    await expect(runBodies(transaction, group)).rejects.toThrow('the disk is full');
  });

  test('is rolled back only if it is open', async () => {
    const { transaction, asked, seen } = open();
    rollBack(transaction);
    expect(asked).toEqual([]);
    seen.isOpen = true;
    rollBack(transaction);
    expect(asked).toEqual(['ROLLBACK']);
  });
});

describe('a file that another program holds', () => {
  test('is retried, and synced groups are answered meanwhile', async () => {
    const { transaction, asked, seen } = open({ busyUntil: 250 });
    await begin(transaction);
    expect([asked, seen.waits]).toEqual([Array(3).fill('BEGIN IMMEDIATE'), 2]);
  });

  test('is retried for at most a second', async () => {
    const { transaction, seen } = open({ busyUntil: Number.POSITIVE_INFINITY });
    await expect(begin(transaction)).rejects.toBe(BUSY);
    await begin(transaction).catch(() => undefined);
    expect(seen.waits).toBeLessThan(30);
  });

  test('is distinguished from a broken one, which is not retried', async () => {
    const { transaction, asked } = open({ isBroken: true });
    await expect(begin(transaction)).rejects.toThrow('broken');
    expect(asked).toEqual(['BEGIN IMMEDIATE']);
  });
});
