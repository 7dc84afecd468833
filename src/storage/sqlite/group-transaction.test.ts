import { describe, expect, test } from 'bun:test';
import { createGroupTransaction, type Group, type Outcome } from './group-transaction.ts';

const BUSY = new Error('busy');

/** A connection that writes down what is asked of it, with a clock that the test moves. */
const open = ({ busyUntil = 0, isBroken = false } = {}) => {
  const asked: string[] = [];
  const seen = { now: 0, waits: 0, isOpen: false, hasWritten: false };
  const note = (what: string) => () => void asked.push(what);
  const transaction = createGroupTransaction({
    connection: {
      begin: () => {
        asked.push('begin');
        seen.now += 100;
        if (seen.now <= busyUntil) throw BUSY;
        if (isBroken) throw new Error('broken');
        seen.isOpen = true;
      },
      commit: note('commit'),
      rollback: note('rollback'),
      savepoint: note('savepoint'),
      release: note('release'),
      rollbackToSavepoint: note('rollback to savepoint'),
      mustWork: note('must work'),
      inTransaction: () => seen.isOpen,
      isBusy: (error) => error === BUSY,
    },
    bodies: {
      begin: () => {
        seen.hasWritten = false;
      },
      undo: note('undo'),
      hasWritten: () => seen.hasWritten,
    },
    elapsed: () => seen.now,
    whileWaiting: () => {
      seen.waits += 1;
    },
  });
  const group: Group = { transactions: [], outcomes: [] };
  const add = (body: () => unknown) =>
    group.transactions.push({ body, isLong: false, settle: () => undefined, queuedAt: 0 });
  const wrote = (name: string) => () => {
    asked.push(name);
    seen.hasWritten = true;
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
  return { transaction, group, add, asked, seen, wrote, writeAndFail, fail };
};

const namesOf = (outcomes: readonly Outcome[]) =>
  outcomes.map((outcome) => ('value' in outcome ? outcome.value : outcome.error));

describe('a group of transactions', () => {
  test('runs in one, without savepoints, and is committed', async () => {
    const { transaction, group, add, asked, wrote } = open();
    add(wrote('a'));
    add(wrote('b'));
    await transaction.begin();
    await transaction.run(group);
    expect(transaction.end(group)).toBeTrue();
    expect(asked).toEqual(['begin', 'a', 'b', 'must work', 'commit']);
    expect(namesOf(group.outcomes)).toEqual(['a', 'b']);
  });

  test('goes on after one that failed and has written nothing, which is undone alone', async () => {
    const { transaction, group, add, asked, wrote, fail } = open();
    add(wrote('a'));
    add(fail('b'));
    add(wrote('c'));
    await transaction.begin();
    await transaction.run(group);
    expect(transaction.end(group)).toBeTrue();
    expect(asked).toEqual(['begin', 'a', 'b', 'undo', 'c', 'must work', 'commit']);
  });

  test('is run again, each in a savepoint, after one that failed and has written', async () => {
    const { transaction, group, add, asked, wrote, writeAndFail } = open();
    add(wrote('a'));
    add(writeAndFail('b'));
    await transaction.begin();
    await transaction.run(group);
    const again = ['savepoint', 'a', 'release', 'savepoint', 'b', 'rollback to savepoint', 'undo'];
    expect(asked).toEqual(['begin', 'a', 'b', 'rollback', 'begin', ...again]);
    expect(namesOf(group.outcomes)).toEqual(['a', new Error('b')]);
  });

  test('is run again also if only some of those before went well: what they wrote was undone with it', async () => {
    const { transaction, group, add, asked, wrote, fail, writeAndFail } = open();
    add(wrote('a'));
    add(fail('b'));
    add(writeAndFail('c'));
    await transaction.begin();
    await transaction.run(group);
    expect(asked.filter((what) => what === 'a')).toHaveLength(2);
    expect(namesOf(group.outcomes)).toEqual(['a', new Error('b'), new Error('c')]);
  });

  test('is not run again if none before went well, and goes on without savepoints', async () => {
    const { transaction, group, add, asked, wrote, writeAndFail } = open();
    add(writeAndFail('a'));
    add(wrote('b'));
    await transaction.begin();
    await transaction.run(group);
    expect(asked).toEqual(['begin', 'a', 'rollback', 'begin', 'undo', 'b']);
  });

  test('needs no savepoints because the one before did', async () => {
    const { transaction, group, add, asked, wrote, writeAndFail } = open();
    add(wrote('a'));
    add(writeAndFail('b'));
    await transaction.begin();
    await transaction.run(group);
    await transaction.begin();
    asked.length = 0;
    await transaction.run({ transactions: [group.transactions[0] as never], outcomes: [] });
    expect(asked).toEqual(['a']);
  });

  test('of which all failed is rolled back, and there is nothing to sync', async () => {
    const { transaction, group, add, asked, fail } = open();
    add(fail('a'));
    await transaction.begin();
    await transaction.run(group);
    expect(transaction.end(group)).toBeFalse();
    expect(asked).toEqual(['begin', 'a', 'undo', 'must work', 'rollback']);
  });

  test('fails as a whole once the engine has given it up', async () => {
    const { transaction, group, add, seen } = open();
    add(() => {
      seen.isOpen = false;
      throw new Error('the disk is full');
    });
    await transaction.begin();
    await expect(transaction.run(group)).rejects.toThrow('the disk is full');
  });

  test('is rolled back if it is open, and only then', async () => {
    const { transaction, asked, seen } = open();
    transaction.rollBack();
    expect(asked).toEqual([]);
    seen.isOpen = true;
    transaction.rollBack();
    expect(asked).toEqual(['rollback']);
  });
});

describe('a file that another program holds', () => {
  test('is waited for, and whoever is on disk is answered meanwhile', async () => {
    const { transaction, asked, seen } = open({ busyUntil: 250 });
    await transaction.begin();
    expect([asked, seen.waits]).toEqual([['begin', 'begin', 'begin'], 2]);
  });

  test('is waited for no longer than a second', async () => {
    const { transaction, seen } = open({ busyUntil: Number.POSITIVE_INFINITY });
    await expect(transaction.begin()).rejects.toBe(BUSY);
    await transaction.begin().catch(() => undefined);
    expect(seen.waits).toBeLessThan(30);
  });

  test('is told from one that does not work, for which nobody waits', async () => {
    const { transaction, asked } = open({ isBroken: true });
    await expect(transaction.begin()).rejects.toThrow('broken');
    expect(asked).toEqual(['begin']);
  });
});
