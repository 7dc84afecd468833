import type { IdKind, SqlValue } from './sql.ts';

type Connection = {
  all(text: string, values: readonly SqlValue[]): unknown[];
  run(text: string, values: readonly SqlValue[]): void;
};

/**
 * Ids counted in memory by the one process that owns the file. The highest of each kind is written in the transaction
 * that uses it; one that was rolled back is not handed out again, because the count in memory never goes back.
 */
export const createIdCounters = (connection: Connection) => {
  const rows = connection.all('SELECT kind, highest FROM ids', []) as { kind: IdKind; highest: bigint }[];
  const highest = new Map(rows.map((row) => [row.kind, row.highest]));
  const changed = new Set<IdKind>();

  return {
    next(kind: IdKind): bigint {
      const id = (highest.get(kind) ?? 0n) + 1n;
      highest.set(kind, id);
      changed.add(kind);
      return id;
    },

    /** Has to run inside each transaction, before its commit. */
    save(): void {
      for (const kind of changed) {
        connection.run(
          'INSERT INTO ids (kind, highest) VALUES ($1, $2) ON CONFLICT (kind) DO UPDATE SET highest = excluded.highest',
          [kind, highest.get(kind) as bigint],
        );
      }
      changed.clear();
    },
  };
};
