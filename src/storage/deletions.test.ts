import { beforeEach, describe, expect, test } from 'bun:test';
import type { Log } from '../kernel/log.ts';
import { createDeletions, inBatches } from './deletions.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse('2026-11-20T12:00:00.000Z');

let now: number | undefined;
let newest: number | undefined;
let asked: number[];
let removed: number[];
let rows: number;
let lines: { event: string; fields: object | undefined }[];
beforeEach(() => {
  [now, newest, rows] = [START, START - DAY_MS, 3];
  [asked, removed, lines] = [[], [], []];
});

const note = (event: string, fields?: object) => void lines.push({ event, fields });
const job = () =>
  createDeletions({
    leaderOnly: (one) => one,
    trustedNow: () => now,
    newestHour: async (until) => {
      asked.push(until);
      return newest;
    },
    log: { info: note, warn: note, error: note } as unknown as Log,
  })({
    name: 'forget-things',
    keptMs: 10 * DAY_MS,
    remove: async (before) => {
      removed.push(before);
      return rows;
    },
  });
const events = () => lines.map(({ event }) => event);

describe('a job that deletes by age', () => {
  test('deletes rows older than their retention, and logs the job, the count and the cutoff', async () => {
    const { name, everyMs, run } = job();
    expect([name, everyMs]).toEqual(['forget-things', 60_000]);
    await run();
    expect(removed).toEqual([START - 10 * DAY_MS]);
    const fields = { job: 'forget-things', count: 3, before: '2026-11-10T12:00:00.000Z' };
    expect(lines).toEqual([{ event: 'rows_deleted', fields }]);
  });

  test('deletes nothing while the clock is not trusted', async () => {
    now = undefined;
    await job().run();
    expect([removed, lines]).toEqual([[], []]);
  });

  test('deletes nothing until the oldest usage record is a day old', async () => {
    newest = undefined;
    await job().run();
    expect([asked, removed, lines]).toEqual([[START - DAY_MS], [], []]);
  });

  test('stops while the clock is over 7 days ahead of what was stored a day ago, and warns once', async () => {
    newest = START - 7 * DAY_MS - 1;
    const { run } = job();
    for (let runs = 0; runs < 3; runs += 1) await run();
    expect([removed, events()]).toEqual([[], ['deletion_stopped']]);
    expect(lines[0]?.fields).toMatchObject({ clock: '2026-11-20T12:00:00.000Z', newest: '2026-11-13T11:59:59.999Z' });

    newest = START - 7 * DAY_MS;
    await run();
    expect(removed).toHaveLength(1);
    expect(events()).toEqual(['deletion_stopped', 'deletion_resumed', 'rows_deleted']);
  });

  test('logs every run that deletes something, and empty runs once an hour', async () => {
    const { run } = job();
    for (const count of [0, 2, 0, 0]) {
      rows = count;
      await run();
    }
    now = START + HOUR_MS - 1;
    await run();
    now = START + HOUR_MS;
    await run();
    expect(lines.map(({ fields }) => (fields as { count: number }).count)).toEqual([0, 2, 0]);
    expect(removed).toHaveLength(6);
  });
});

test('rows are deleted in batches of 1,000 until none are left', async () => {
  const batches: number[] = [];
  const left = [1000, 1000, 200, 5];
  const removeSome = async (most: number) => {
    batches.push(most);
    return left.shift() as number;
  };
  expect(await inBatches(removeSome)).toBe(2200);
  expect(batches).toEqual([1000, 1000, 1000]);
});
