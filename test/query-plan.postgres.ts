import pg from 'pg';
import type { Sql, SqlValue } from '../src/storage/sql.ts';

export type Node = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Node[] };

export type Plan = { text: string; steps: string[] };

export const nodesOf = <Any extends Node>(node: Any): Any[] => [
  node,
  ...((node.Plans ?? []) as Any[]).flatMap(nodesOf),
];

export const stepOf = (node: Node): string => {
  const name = node['Index Name'] ?? node['Relation Name'];
  return name ? `${node['Node Type']} ${name}` : node['Node Type'];
};

export const literal = (value: SqlValue): string => {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`;
  return pg.escapeLiteral(String(value));
};

/**
 * When a statement is repeated, PostgreSQL may use a generic plan or a plan for the given values, so tests check both
 * plans.
 */
export const postgresPlans = async (
  url: string,
  use: (sql: Sql) => Promise<unknown>,
  values: 'any' | 'given' = 'any',
): Promise<Plan[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const plans: Plan[] = [];
  const explain = async (text: string, values: readonly SqlValue[]): Promise<void> => {
    const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
    await client.query(`PREPARE asked AS ${text}`);
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE asked${given}`);
    await client.query('DEALLOCATE asked');
    plans.push({ text, steps: nodesOf<Node>(rows[0]['QUERY PLAN'][0].Plan).map(stepOf) });
  };
  try {
    await client.query(`SET plan_cache_mode = force_${values === 'any' ? 'generic' : 'custom'}_plan`);
    await use({
      one: async (text, values) => (await explain(text, values)) as undefined,
      all: async (text, values) => {
        await explain(text, values);
        return [];
      },
      run: explain,
      add: (counter, by) => explain(counter.add, [...counter.key, by]),
      total: async (counter) => {
        await explain(counter.read, counter.key);
        return 1n;
      },
      writeCounters: () => undefined,
      nextId: async () => 1n,
      nextIds: async (_, count) => Array(count).fill(1n),
      noteKeyChange: () => undefined,
      pause: () => undefined,
      afterCommit: () => undefined,
      isReadOnly: false,
      lockRows: 'FOR UPDATE',
      mergesParts: false,
      hasFts5: false,
      isSoleWriter: false,
      writer: 0n,
    });
  } finally {
    await client.end();
  }
  return plans;
};
