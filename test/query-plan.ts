import type { Sql } from '../src/storage/sql.ts';
import { connectSqlite } from '../src/storage/sqlite/connection.ts';

export const queryPlans = async (path: string, use: (sql: Sql) => Promise<unknown>): Promise<string[]> => {
  const connection = connectSqlite(path);
  const plans: string[] = [];
  const explain = (text: string, values: Parameters<Sql['all']>[1]) => {
    const steps = connection.all(`EXPLAIN QUERY PLAN ${text}`, values) as { detail: string }[];
    plans.push(steps.map(({ detail }) => detail).join('; '));
  };
  try {
    await use({
      one: async (text, values) => explain(text, values) as undefined,
      all: async (text, values) => {
        explain(text, values);
        return [];
      },
      run: async (text, values) => explain(text, values),
      add: async (counter, by) => explain(counter.set, [...counter.key, by]),
      total: async (counter) => {
        explain(counter.read, counter.key);
        return 1n;
      },
      writeCounters: () => undefined,
      nextId: async () => 1n,
      nextIds: async (_, count) => Array(count).fill(1n),
      noteKeyChange: () => undefined,
      pause: () => undefined,
      afterCommit: () => undefined,
      isReadOnly: false,
      lockRows: '',
      mergesParts: true,
      hasFts5: true,
      isSoleWriter: true,
      writer: 0n,
    });
  } finally {
    connection.close();
  }
  return plans;
};

export const pagesBehind = <Position>(after: Position) =>
  (['asc', 'desc'] as const).flatMap((order) =>
    [undefined, after].map((position) => ({ limit: 21, order, after: position })),
  );

/** Pretends that the list has more rows than a search reads at first, so that the search also uses the name index. */
export const beforeEnd = (sql: Sql): Sql => ({
  ...sql,
  all: async (text, values) => {
    await sql.all(text, values);
    const [place] = values.slice(-3);
    return (text.includes('AS place') ? [{ place: BigInt(place as number), folded_name: '' }] : []) as never[];
  },
});
