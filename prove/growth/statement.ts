import type { ClusterRepository } from '../../src/cluster/cluster.repository.ts';
import type { Repositories as OfBothEngines } from '../../src/compose/repositories.ts';
import type { Store } from './fill.ts';

export type Repositories = OfBothEngines & { cluster: ClusterRepository };

type Use = (repositories: Repositories, store: Store) => unknown;

/**
 * Maximum buffers (pages of 8 kB, cached or not) of one statement. The kinds are measured in this order. A statement that
 * changes many rows is rolled back, but leaves dead rows, which later statements read.
 */
export const BOUNDS = {
  /** Reads 100 rows: a page of a list, or pets by id. */
  page: 450,
  /** Reads or writes a few rows. */
  row: 60,
  /** Reads more the more rows there are. These statements are known, and the proof lists them. */
  unbounded: Number.POSITIVE_INFINITY,
  /** Changes up to 1,000 rows, or reads 64 deliveries with their events. */
  batch: 8000,
  /** Gives 1,000 events a sequence. Each gets a new entry in six indexes. */
  sequences: 30_000,
};

export type Kind = keyof typeof BOUNDS;

type Statement = { kind: Kind; use: Use };

/** The calls that run the statements of a method. A method that needs no bound has the reason instead. */
type Method = Statement | readonly Statement[] | string;

export type Methods<Names extends keyof Repositories> = {
  [Name in Names]: Record<keyof Repositories[Name], Method>;
};

const of =
  (kind: Kind) =>
  (use: Use): Statement => ({ kind, use });

export const row = of('row');
export const page = of('page');
export const batch = of('batch');
export const sequences = of('sequences');
export const unbounded = of('unbounded');

/** The first and a later page of 100 rows in both directions. One more row shows whether there is a next page. */
export const pages = <Position>(after: Position) =>
  (['asc', 'desc'] as const).flatMap((order) =>
    [undefined, after].map((position) => ({ limit: 101, order, after: position })),
  );
