import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeGroupCommitDeps, type GroupCommitDeps } from '../../../test/group-commit.ts';
import { connectSqlite, type SqliteConnection } from './connection.ts';
import { createGroupCommit } from './group-commit.ts';

let directory: string;
let writer: SqliteConnection;
let reader: SqliteConnection;
let commits: number;
let groups: ReturnType<typeof createGroupCommit>;

type Wal = GroupCommitDeps['wal'];

const createGroups = (changes: Partial<GroupCommitDeps> = {}, elapsed?: () => number) => {
  groups = createGroupCommit({ ...fakeGroupCommitDeps(), writer, ...changes }, elapsed);
  return groups;
};

const noting = (note: (statement: string) => void): SqliteConnection => ({
  ...writer,
  run: (text, values) => {
    if (!values) note(text);
    writer.run(text, values);
  },
});
const countCommits = () =>
  noting((statement) => {
    if (statement === 'COMMIT') commits += 1;
  });

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  writer = connectSqlite(join(directory, 'group.db'));
  reader = connectSqlite(join(directory, 'group.db'));
  writer.script('PRAGMA journal_mode = WAL; CREATE TABLE rows (value TEXT NOT NULL UNIQUE)');
  commits = 0;
  createGroups({ writer: countCommits() });
});
afterEach(() => {
  writer.close();
  reader.close();
  rmSync(directory, { recursive: true });
});

const insert = (value: string) => async () => {
  await groups.sql.run('INSERT INTO rows (value) VALUES ($1)', [value]);
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

  const onSlowDisk = (syncMs: number, tickMs = 0) => {
    let now = 0;
    const wal: Wal = {
      sync: async () => {
        now += syncMs;
      },
      syncNow: () => undefined,
    };
    return createGroups({ writer: countCommits(), wal }, () => {
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

  test('waits for the writers it has just answered, so that they share the next commit', async () => {
    await writeTwice(onSlowDisk(100));
    expect(commits).toBe(2);
  });

  test('does not wait when the group is full', async () => {
    const slow = onSlowDisk(100);
    await Promise.all(Array.from({ length: 512 }, (_, index) => slow.run(insert(`row ${index}`))));
    expect(commits).toBe(2);
  });

  test('waits at most half a sync', async () => {
    const slow = onSlowDisk(100, 5);
    await Promise.all(['a', 'b', 'c'].map((value) => slow.run(insert(value))));
    const alone = slow.run(insert('d'));
    await runTurns(5);
    expect(stored()).not.toContain('d');
    await runTurns(15);
    expect(stored()).toContain('d');
    await alone;
  });

  test('does not wait again if no writer returned during the last two waits', async () => {
    const slow = onSlowDisk(100, 5);
    for (const values of ['abc', 'd', 'efg', 'h', 'ijk'])
      await Promise.all([...values].map((value) => slow.run(insert(value))));
    const alone = slow.run(insert('l'));
    await runTurns(5);
    expect(stored()).toContain('l');
    await alone;
  });

  test('does not delay a single writer, however slow the disk is', async () => {
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

  describe('with a body that throws', () => {
    const runBeside = async (...failing: (() => Promise<unknown>)[]) => {
      const runs: Record<string, number> = {};
      const counted = (value: string) => () => {
        runs[value] = (runs[value] ?? 0) + 1;
        return insert(value)();
      };
      const seen = await Promise.allSettled(
        [counted('a'), ...failing, counted('b')].map((body) => groups.run<unknown>(body)),
      );
      expect(seen.map(({ status }) => status)).toEqual([
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

    test('reruns no other body if the failed one has not written', async () => {
      expect(await runBeside(throwing, throwing)).toEqual({ a: 1, b: 1 });
    });

    test('reruns earlier bodies once if the failed one has written', async () => {
      expect(await runBeside(throwingLate, throwingLate, throwingLate)).toEqual({ a: 2, b: 1 });
    });

    test('undoes the failed body if it is the only one', async () => {
      for (const body of [throwing, throwingLate]) await expect(groups.run(body)).rejects.toThrow('no');
      expect([stored(), commits]).toEqual([[], 0]);
      expect(await groups.run(insert('next'))).toBe('next');
    });

    test('uses no savepoints in the next group', async () => {
      await runBeside(throwingLate);
      let savepoints = 0;
      const count = (statement: string) => {
        if (statement.startsWith('SAVEPOINT')) savepoints += 1;
      };
      createGroups({ writer: noting(count) });
      await Promise.allSettled([groups.run(insert('c')), groups.run(throwingLate)]);
      const used = savepoints;
      await Promise.all([groups.run(insert('d')), groups.run(insert('e'))]);
      expect([used, savepoints]).toEqual([2, 2]);
      expect(stored()).toEqual(['a', 'b', 'c', 'd', 'e']);
    });
  });

  test('rolls back only the transaction that breaks a constraint', async () => {
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

  test('fails every transaction of the group when the disk is full, and stores none of them', async () => {
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

  test('fails every transaction when the commit fails, and stores none of them', async () => {
    const refuse = (statement: string) => {
      if (statement === 'COMMIT') throw new Error('the disk is gone');
    };
    const refusing = createGroups({ writer: noting(refuse) });
    const results = await Promise.allSettled(['a', 'b'].map((value) => refusing.run(insert(value))));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(stored()).toEqual([]);
    expect(await createGroups().run(insert('after'))).toBe('after');
  });

  test('fails a transaction whose body ignored the error of a full disk', async () => {
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

  test('waits without blocking the process while another program holds the file', async () => {
    reader.run('BEGIN IMMEDIATE');
    const patient = createGroups({}, () => 0);
    const writing = patient.run(insert('a'));
    await runTurns(10);
    expect(patient.backlog.pending).toBe(1);
    reader.run('ROLLBACK');
    expect(await writing).toBe('a');
    expect(stored()).toEqual(['a']);
  });

  const onHeldDisk = () => {
    const seen: string[] = [];
    let now = 0;
    const ends: (() => void)[] = [];
    const checkpoints: GroupCommitDeps['checkpoints'] = {
      noteCommit: () => undefined,
      needsFinish: false,
      finish: async () => {
        seen.push(`rest, in a transaction: ${writer.inTransaction()}, synced: ${ends.length === 0}`);
        checkpoints.needsFinish = false;
      },
    };
    const note = (statement: string) => {
      if (statement === 'COMMIT') seen.push('commit');
    };
    const wal: Wal = { sync: () => new Promise((resolve) => ends.push(resolve)), syncNow: () => undefined };
    const snapshot = { hold: () => undefined, release: () => undefined, end: () => void seen.push('snapshot ended') };
    const held = createGroups({ writer: noting(note), wal, checkpoints, snapshot }, () => now);
    const write = (value: string) =>
      held.run(insert(value)).then(
        () => seen.push(`${value} answered`),
        () => seen.push(`${value} refused`),
      );
    const end = async () => {
      ends.shift()?.();
      await runTurns(3);
    };
    const wantRest = () => {
      checkpoints.needsFinish = true;
    };
    const pass = (ms: number) => {
      now += ms;
    };
    return { seen, write, end, wantRest, held, pass };
  };

  test('runs the next group during a sync, and starts syncing it before it answers the previous group', async () => {
    const { seen, write, end, held } = onHeldDisk();
    const writing = [write('a')];
    await runTurns(3);
    writing.push(write('b'), write('a'));
    await runTurns(3);
    expect(held.backlog.pending).toBe(3);
    expect(seen).toEqual(['commit']);
    await end();
    expect(seen).toEqual(['commit', 'commit', 'a answered']);
    await end();
    await Promise.all(writing);
    expect(seen.slice(3)).toEqual(['b answered', 'a refused']);
    expect(held.waitedMs()).toBe(0);
  });

  test('commits nothing during a sync, even if more transactions arrive', async () => {
    const { seen, write, end } = onHeldDisk();
    const writing: Promise<unknown>[] = [];
    for (const value of ['a', 'b', 'c']) {
      writing.push(write(value));
      await runTurns(3);
    }
    expect(seen).toEqual(['commit']);
    await end();
    expect(seen).toEqual(['commit', 'commit', 'a answered']);
    await end();
    await Promise.all(writing);
    expect(seen.slice(3)).toEqual(['b answered', 'c answered']);
  });

  test('uses no processor time while the next group waits for the disk', async () => {
    const { write, end } = onHeldDisk();
    const writing = [write('a')];
    await runTurns(3);
    writing.push(write('b'));
    await runTurns(3);
    const turns = spyOn(globalThis, 'setImmediate');
    await Bun.sleep(5);
    const asked = turns.mock.calls.length;
    turns.mockRestore();
    expect(asked).toBe(0);
    for (let group = 0; group < 2; group += 1) await end();
    await Promise.all(writing);
  });

  test('pauses for a checkpoint only without a transaction or a sync', async () => {
    const { seen, write, end, wantRest } = onHeldDisk();
    const writing = [write('a')];
    await runTurns(3);
    wantRest();
    writing.push(write('b'));
    await runTurns(3);
    expect(seen).toEqual(['commit']);
    await end();
    const rest = 'rest, in a transaction: false, synced: true';
    expect(seen).toEqual(['commit', 'a answered', rest, 'snapshot ended', 'commit']);
    await end();
    await Promise.all(writing);
  });

  test('answers a synced group even if another program delays the next group', async () => {
    const { seen, write, end } = onHeldDisk();
    const first = write('a');
    await runTurns(3);
    reader.run('BEGIN IMMEDIATE');
    const second = write('b');
    await runTurns(3);
    await end();
    await first;
    expect(seen).toEqual(['commit', 'a answered']);
    reader.run('ROLLBACK');
    while (seen.length < 3) await runTurns(1);
    await end();
    await second;
    expect(seen).toEqual(['commit', 'a answered', 'commit', 'b answered']);
  });

  test('includes the wait of a group that is being synced', async () => {
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
