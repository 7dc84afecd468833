import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { lacks } from '../test/needs.ts';
import { type Postgres, startPostgres } from '../test/servers/postgres.ts';
import { fill, storesOf } from './growth/fill.ts';
import { type Found, measureStatements, openGrown } from './growth/measure.ts';
import { BOUNDS, type Kind } from './growth/statement.ts';
import { LONG, proof } from './proof.ts';

const SIZE = LONG ? { pets: 10_000_000, stores: 100_000 } : { pets: 200_000, stores: 2000 };

/** Autovacuum is off, because it runs at random times and would make the buffer counts differ from run to run. */
const SETTINGS = { autovacuum: 'off', maintenance_work_mem: '512MB', shared_buffers: '512MB' };

const SHOWN = 3;

/** A sequential scan of `deployment` is fine, because this table has only one row. */
const isTableScan = (step: string): boolean => step.startsWith('Seq Scan') && step !== 'Seq Scan deployment';

const show = (count: number): string => count.toLocaleString('en-US');

/**
 * For each method, keeps only the statement that reads the most buffers. Sorts these statements by buffers, highest
 * first.
 */
const highest = (found: readonly Found[]): Found[] => {
  const sorted = found.toSorted((one, other) => other.buffers - one.buffers);
  return sorted.filter(({ method }, index) => sorted.findIndex((other) => other.method === method) === index);
};

const list = (found: readonly Found[]): string =>
  found.map(({ method, store, buffers }) => `${method} ${show(buffers)} (${store} store)`).join(', ');

describe.skipIf(lacks('PostgreSQL'))('a PostgreSQL database that has grown', () => {
  let server: Postgres;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false, settings: SETTINGS });
    url = await server.createDatabase();
    await openGrown(url);
    await fill(url, SIZE);
  });
  afterAll(() => server?.remove());

  proof('no statement scans a table that grows, and each reads few pages', async (tell) => {
    const found = await measureStatements(url, storesOf(SIZE));
    const of = (kind: Kind) => found.filter((one) => one.kind === kind);
    tell.figure(`${show(SIZE.pets)} pets in ${show(SIZE.stores)} stores`);
    tell.figure(`${new Set(found.map(({ text }) => text)).size} statements`);
    for (const kind of ['row', 'page', 'search', 'count', 'batch', 'sequences'] as const) {
      tell.figure(`buffers per ${kind} (at most ${show(BOUNDS[kind])}): ${list(highest(of(kind)).slice(0, SHOWN))}`);
    }
    for (const one of highest(of('unbounded'))) tell.figure(`buffers without a bound: ${list([one])}`);
    const faults = found.filter(
      ({ kind, buffers, steps }) => kind !== 'unbounded' && (buffers > BOUNDS[kind] || steps.some(isTableScan)),
    );
    expect(faults).toEqual([]);
  });
});
