import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectSqlite, type SqliteConnection } from './connection.ts';
import { createGroupCommit, type Disk } from './group-commit.ts';
import type { BodyState, TransactionControl } from './group-transaction.ts';

let directory: string;
let writer: SqliteConnection;
let reader: SqliteConnection;
let commits: number;
let groups: ReturnType<typeof createGroupCommit>;

/** One whose syncs take no time and that needs no rest. */
const DISK: Disk = {
  sync: async () => undefined,
  syncNow: () => undefined,
  needsCheckpoint: () => false,
  finishCheckpoint: async () => undefined,
};

/** Whether the body that runs now has written. */
let hasWritten: boolean;
const BODIES: BodyState = {
  begin: () => {
    hasWritten = false;
  },
  undo: () => undefined,
  hasWritten: () => hasWritten,
};

const createGroups = (changes: Partial<TransactionControl>, disk = DISK, elapsed?: () => number) =>
  createGroupCommit(
    { connection: { ...writer, mustWork: () => undefined, ...changes }, bodies: BODIES, disk },
    elapsed,
  );

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  writer = connectSqlite(join(directory, 'group.db'));
  reader = connectSqlite(join(directory, 'group.db'));
  writer.script('PRAGMA journal_mode = WAL; CREATE TABLE rows (value TEXT NOT NULL UNIQUE)');
  commits = 0;
  const commit = () => {
    commits += 1;
    writer.commit();
  };
  groups = createGroups({ commit });
});
afterEach(() => {
  writer.close();
  reader.close();
  rmSync(directory, { recursive: true });
});

const insert = (value: string) => async () => {
  hasWritten = true;
  writer.run('INSERT INTO rows (value) VALUES ($1)', [value]);
  return value;
};
const stored = () =>
  reader.all('SELECT value FROM rows ORDER BY value', []).map((row) => (row as { value: string }).value);

describe('group commit', () => {
  test('commits the transactions of one turn together', async () => {
    const values = Array.from({ length: 50 }, (_, index) => `row ${index}`);
    expect(await Promise.all(values.map((value) => groups.run(insert(value))))).toEqual(values);
    expect(commits).toBe(1);
    expect(stored()).toEqual(values.toSorted());
  });

  test('splits a long queue into several groups', async () => {
    const values = Array.from({ length: 600 }, (_, index) => `row ${index}`);
    await Promise.all(values.map((value) => groups.run(insert(value))));
    expect(commits).toBe(3);
    expect(stored()).toHaveLength(600);
  });

  /** A disk whose syncs take so long, by a clock that goes on by `tickMs` whenever it is looked at. */
  const onSlowDisk = (syncMs: number, tickMs = 0) => {
    let now = 0;
    const commit = () => {
      commits += 1;
      writer.commit();
    };
    const sync = async () => {
      now += syncMs;
    };
    return createGroups({ commit }, { ...DISK, sync }, () => {
      now += tickMs;
      return now;
    });
  };
  const runTurns = async (turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  const writeTwice = async (slow: typeof groups) => {
    await Promise.all(['a', 'b', 'c'].map((value) => slow.run(insert(value))));
    const late = async (value: string, turns: number) => {
      await runTurns(turns);
      await slow.run(insert(value));
    };
    await Promise.all([late('d', 0), late('e', 2), late('f', 4)]);
  };

  test('waits for those it has just answered, so that they share the next commit', async () => {
    await writeTwice(onSlowDisk(100));
    expect(commits).toBe(2);
  });

  test('does not wait for them if the processor needs longer for them all than the disk', async () => {
    await writeTwice(onSlowDisk(0.29));
    expect(commits).toBeGreaterThan(2);
  });

  test('waits for nobody when the group is full', async () => {
    const slow = onSlowDisk(100);
    await Promise.all(Array.from({ length: 512 }, (_, index) => slow.run(insert(`row ${index}`))));
    expect(commits).toBe(2);
  });

  test('waits for them no longer than half of what the sync took', async () => {
    const slow = onSlowDisk(100, 5);
    await Promise.all(['a', 'b', 'c'].map((value) => slow.run(insert(value))));
    const alone = slow.run(insert('d'));
    await runTurns(5);
    expect(stored()).not.toContain('d');
    await runTurns(15);
    expect(stored()).toContain('d');
    await alone;
  });

  test('lets one writer alone wait for nobody, however slow the disk is', async () => {
    const slow = onSlowDisk(100);
    await slow.run(insert('a'));
    const second = slow.run(insert('b'));
    await runTurns(3);
    expect(stored()).toEqual(['a', 'b']);
    await second;
  });

  test('shows nothing to a reader before the commit, and everything once a transaction is answered', async () => {
    let during: string[] = [];
    await groups.run(async () => {
      await insert('a')();
      during = stored();
    });
    expect(during).toEqual([]);
    expect(stored()).toEqual(['a']);
  });

  describe('that throws', () => {
    /** Runs a body that fails among others, and counts how often each of those has run. */
    const runBeside = async (...failing: (() => Promise<unknown>)[]) => {
      const runs: Record<string, number> = {};
      const counted = (value: string) => () => {
        runs[value] = (runs[value] ?? 0) + 1;
        return insert(value)();
      };
      const told = await Promise.allSettled(
        [counted('a'), ...failing, counted('b')].map((body) => groups.run<unknown>(body)),
      );
      expect(told.map(({ status }) => status)).toEqual([
        'fulfilled',
        ...failing.map(() => 'rejected' as const),
        'fulfilled',
      ]);
      expect(stored()).toEqual(['a', 'b']);
      expect(commits).toBe(1);
      return runs;
    };
    const throwing = async () => {
      throw new Error('no');
    };
    const throwingLate = async () => {
      await insert('half done')();
      throw new Error('no');
    };

    test('costs the others nothing if it has not written', async () => {
      expect(await runBeside(throwing, throwing)).toEqual({ a: 1, b: 1 });
    });

    test('makes those before it run again if it has, once', async () => {
      expect(await runBeside(throwingLate, throwingLate, throwingLate)).toEqual({ a: 2, b: 1 });
    });

    test('is undone if it is the only one', async () => {
      await expect(groups.run(throwingLate)).rejects.toThrow('no');
      expect(stored()).toEqual([]);
      expect(await groups.run(insert('next'))).toBe('next');
    });

    test('leaves the next group without savepoints', async () => {
      await runBeside(throwingLate);
      let savepoints = 0;
      groups = createGroups({
        savepoint: () => {
          savepoints += 1;
          writer.savepoint();
        },
      });
      await Promise.allSettled([groups.run(insert('c')), groups.run(throwingLate)]);
      const used = savepoints;
      await Promise.all([groups.run(insert('d')), groups.run(insert('e'))]);
      expect([used, savepoints]).toEqual([2, 2]);
      expect(stored()).toEqual(['a', 'b', 'c', 'd', 'e']);
    });
  });

  test('rolls back a transaction that breaks a constraint, alone', async () => {
    const results = await Promise.allSettled(['a', 'a', 'b'].map((value) => groups.run(insert(value))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(stored()).toEqual(['a', 'b']);
  });

  test('runs the bodies one after another, each to its end', async () => {
    const steps: string[] = [];
    const body = (name: string) => async () => {
      steps.push(`${name} begins`);
      for (let index = 0; index < 5; index += 1) await writer.run('SELECT 1', []);
      steps.push(`${name} ends`);
    };
    await Promise.all([groups.run(body('a')), groups.run(body('b'))]);
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  test('tells every transaction of the group when the disk is full, and stores none of them', async () => {
    const { page_count: pages } = writer.one('PRAGMA page_count', []) as { page_count: bigint };
    writer.script(`PRAGMA max_page_count = ${pages + 1n}`);
    const bodies = ['small', 'x'.repeat(100_000), 'also small'].map(insert);
    const results = await Promise.allSettled(bodies.map((body) => groups.run(body)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    for (const result of results)
      expect((result as PromiseRejectedResult).reason).toMatchObject({ code: 'unavailable' });
    expect(stored()).toEqual([]);

    writer.script('PRAGMA max_page_count = 1000000');
    expect(await groups.run(insert('after'))).toBe('after');
    expect(stored()).toEqual(['after']);
  });

  test('tells every transaction when the commit itself fails, and stores none of them', async () => {
    const refusing = createGroups({
      commit: () => {
        throw new Error('the disk is gone');
      },
    });
    const results = await Promise.allSettled(['a', 'b'].map((value) => refusing.run(insert(value))));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(stored()).toEqual([]);
    expect(await groups.run(insert('after'))).toBe('after');
  });

  test('does not answer a transaction that hid from the group that the disk is full', async () => {
    const { page_count: pages } = writer.one('PRAGMA page_count', []) as { page_count: bigint };
    writer.script(`PRAGMA max_page_count = ${pages + 1n}`);
    const hiding = async () => {
      await insert('x'.repeat(100_000))().catch(() => undefined);
      return 'done';
    };
    await expect(groups.run(hiding)).rejects.toThrow();
    await expect(Promise.all([groups.run(hiding), groups.run(hiding)])).rejects.toThrow();
    expect(stored()).toEqual([]);
  });

  test('answers every transaction even when the connection is gone, and goes on doing so', async () => {
    const gone = () => {
      throw new Error('the connection is gone');
    };
    const broken = createGroups({ begin: gone, rollback: gone, inTransaction: gone });
    await expect(broken.run(insert('a'))).rejects.toThrow('the connection is gone');
    await expect(broken.run(insert('b'))).rejects.toThrow('the connection is gone');
    await broken.idle();
  });

  test('waits for another program that holds the file, without holding up the process', async () => {
    reader.begin();
    const patient = createGroups({}, DISK, () => 0);
    const writing = patient.run(insert('a'));
    await runTurns(10);
    expect(patient.backlog.pending).toBe(1);
    reader.rollback();
    expect(await writing).toBe('a');
    expect(stored()).toEqual(['a']);
  });

  /** A disk whose syncs end when they are told to; `told` is what happened in which order. */
  const onHeldDisk = () => {
    const told: string[] = [];
    let now = 0;
    const ends: (() => void)[] = [];
    let needsCheckpoint = false;
    const held = createGroups(
      {
        commit: () => {
          told.push('commit');
          writer.commit();
        },
      },
      {
        sync: () => new Promise((resolve) => ends.push(resolve)),
        syncNow: () => undefined,
        needsCheckpoint: () => needsCheckpoint,
        finishCheckpoint: async () => {
          told.push(`rest, in a transaction: ${writer.inTransaction()}, synced: ${ends.length === 0}`);
          needsCheckpoint = false;
        },
      },
      () => now,
    );
    const write = (value: string) =>
      held.run(insert(value)).then(
        () => told.push(`${value} answered`),
        () => told.push(`${value} refused`),
      );
    const end = async () => {
      ends.shift()?.();
      await runTurns(3);
    };
    const wantRest = () => {
      needsCheckpoint = true;
    };
    const pass = (ms: number) => {
      now += ms;
    };
    return { told, write, end, wantRest, held, pass };
  };

  test('runs the next group while the disk is busy, and keeps the disk busy before it answers', async () => {
    const { told, write, end, held } = onHeldDisk();
    const writing = [write('a')];
    await runTurns(3);
    writing.push(write('b'), write('a'));
    await runTurns(3);
    expect(held.backlog.pending).toBe(3);
    expect(told).toEqual(['commit']);
    await end();
    expect(told).toEqual(['commit', 'commit', 'a answered']);
    await end();
    await Promise.all(writing);
    expect(told.slice(3)).toEqual(['b answered', 'a refused']);
    expect(held.waitedMs()).toBe(0);
  });

  test('rests only when neither a transaction nor a sync is under way', async () => {
    const { told, write, end, wantRest } = onHeldDisk();
    const writing = [write('a')];
    await runTurns(3);
    wantRest();
    writing.push(write('b'));
    await runTurns(3);
    expect(told).toEqual(['commit']);
    await end();
    expect(told).toEqual(['commit', 'a answered', 'rest, in a transaction: false, synced: true', 'commit']);
    await end();
    await Promise.all(writing);
  });

  test('answers those who are on disk although another program holds up the next', async () => {
    const { told, write, end } = onHeldDisk();
    const first = write('a');
    await runTurns(3);
    reader.begin();
    const second = write('b');
    await runTurns(3);
    await end();
    await first;
    expect(told).toEqual(['commit', 'a answered']);
    reader.rollback();
    while (told.length < 3) await runTurns(1);
    await end();
    await second;
    expect(told).toEqual(['commit', 'a answered', 'commit', 'b answered']);
  });

  test('counts the wait of those who are synced', async () => {
    const { write, end, held, pass } = onHeldDisk();
    const writing = write('a');
    await runTurns(3);
    pass(5);
    expect(held.waitedMs()).toBe(5);
    await end();
    await writing;
    expect(held.waitedMs()).toBe(0);
  });

  test('is idle only when everything queued is committed', async () => {
    const answers = ['a', 'b', 'c'].map((value) => groups.run(insert(value)));
    await groups.idle();
    expect(stored()).toEqual(['a', 'b', 'c']);
    await Promise.all(answers);
  });
});
