import type { Cells, Done } from './callers.ts';

const apply = (to: Map<string, string>, changes: Cells): void => {
  for (const [cell, value] of Object.entries(changes)) {
    if (value === null) to.delete(cell);
    else to.set(cell, value);
  }
};

const isIn = (found: ReadonlyMap<string, string>, { changes }: Done): boolean =>
  Object.entries(changes).every(([cell, value]) => (found.get(cell) ?? null) === value);

const show = (value: string | undefined): string => value?.replace(/x+/, '…') ?? 'not there';

type Highest = { pets: number; orders: number };

type Before = { cells: Iterable<[string, string]>; highest: Highest };

/**
 * Each caller sends one request at a time, in the order of `all`. When the power fails, a caller's first request
 * without a response must be stored completely or not at all. The caller has not sent its later requests yet.
 */
export const createLedger = (all: readonly Done[], before: Before = { cells: [], highest: { pets: 0, orders: 0 } }) => {
  const waiting = Map.groupBy(all, ({ caller }) => caller);
  const byRequest = new Map(all.map((done) => [done.requestId, done]));
  const cells = new Map(before.cells);
  const highest = { ...before.highest };
  let acknowledged = 0;

  return {
    acknowledge(requestId: string): void {
      const done = byRequest.get(requestId);
      if (!done) return;
      const next = waiting.get(done.caller)?.shift();
      if (next !== done) throw new Error(`${requestId} was answered out of order`);
      // Counts each response once. If the socket's buffer was full, the service had to send the response again, and the
      // recording contains both attempts.
      byRequest.delete(requestId);
      apply(cells, done.changes);
      for (const kind of ['pets', 'orders'] as const) {
        const ids = Object.keys(done.changes).filter((cell) => cell.startsWith(kind));
        highest[kind] = Math.max(highest[kind], ...ids.map((cell) => Number(cell.slice(kind.length))));
      }
      acknowledged += 1;
    },

    acknowledged: (): number => acknowledged,
    highest: (): Highest => highest,

    compare(found: ReadonlyMap<string, string>): string[] {
      const expected = new Map(cells);
      for (const [next] of waiting.values()) if (next && isIn(found, next)) apply(expected, next.changes);
      return [...new Set([...expected.keys(), ...found.keys()])]
        .filter((cell) => expected.get(cell) !== found.get(cell))
        .map((cell) => `${cell} is ${show(found.get(cell))}, and should be ${show(expected.get(cell))}`);
    },
  };
};

export type Ledger = ReturnType<typeof createLedger>;
