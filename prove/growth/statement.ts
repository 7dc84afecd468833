import type { Repositories } from '../../src/compose/repositories.ts';
import type { Store } from './fill.ts';

type Use = (repositories: Repositories, store: Store) => unknown;

/**
 * Maximum number of buffers (8 kB pages, cached or not) that one statement of each kind may read. The proof measures
 * the kinds in this order. Large changes come last, because their rolled-back rows make later statements read more
 * buffers.
 */
export const BOUNDS = {
  /** Reads 100 rows: one page of a list, or 100 pets by id. */
  page: 450,
  /** Reads up to 5,000 rows in list order, or up to 2,000 rows from the name index. */
  search: 12_000,
  /** Counts up to 1,000 pets in each of 21 categories. */
  count: 25_000,
  /** Reads or writes a few rows. */
  row: 60,
  /** Reads more buffers as the table grows. The proof lists statements of this kind but sets no limit for them. */
  unbounded: Number.POSITIVE_INFINITY,
  /** Changes up to 1,000 rows, or reads 64 deliveries with their events. */
  batch: 8000,
  /**
   * Assigns sequence numbers to 1,000 events and adds a delivery for each event. An event needs about 30 buffers and
   * its delivery needs about 17, because the two together get new entries in nine indexes. Each entry needs one buffer
   * per level of its index. If every index gets one more level, an event and its delivery need about 11 more buffers.
   */
  sequences: 60_000,
};

export type Kind = keyof typeof BOUNDS;

type Statement = { kind: Kind; use: Use };

/** The statements of one repository method, or the reason why the method does not need a bound. */
type Method = Statement | readonly Statement[] | string;

export type Methods<Names extends keyof Repositories> = {
  [Name in Names]: Record<keyof Repositories[Name], Method>;
};

const of =
  (kind: Kind) =>
  (use: Use): Statement => ({ kind, use });

export const row = of('row');
export const page = of('page');
export const search = of('search');
export const count = of('count');
export const batch = of('batch');
export const sequences = of('sequences');
export const unbounded = of('unbounded');

/**
 * Returns queries for the first page and a later page, in both directions. Each query reads a page of 100 rows and one
 * more row, which shows whether another page follows.
 */
export const pages = <Position>(after: Position) =>
  (['asc', 'desc'] as const).flatMap((order) =>
    [undefined, after].map((position) => ({ limit: 101, order, after: position })),
  );
