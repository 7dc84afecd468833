import type { PostgresConnection } from '../../src/storage/postgres/connection.ts';
import type { SqlValue } from '../../src/storage/sql.ts';
import { literal, type Node, nodesOf, stepOf } from '../../test/query-plan.postgres.ts';

type MeasuredNode = Node & { 'Shared Hit Blocks': number; 'Shared Read Blocks': number; 'Subplan Name'?: string };

export type Measured = { text: string; buffers: number; steps: string[] };

/**
 * For each of the first five executions of a prepared statement, PostgreSQL makes a plan for the actual values. After
 * that, it may choose a generic plan.
 */
const PLANS_FOR_GIVEN_VALUES = 5;

/**
 * A write inside a `WITH` clause may run after the root node of the plan. In that case, the root node's buffer count
 * does not include the write.
 */
const isSeparate = (node: MeasuredNode): boolean =>
  node['Node Type'] === 'ModifyTable' && node['Subplan Name']?.startsWith('CTE ') === true;

const buffersOf = (node: MeasuredNode): number => node['Shared Hit Blocks'] + node['Shared Read Blocks'];

const read = (text: string, root: MeasuredNode): Measured => {
  const nodes = nodesOf(root);
  const buffers = [root, ...nodes.filter((node) => node !== root && isSeparate(node))].map(buffersOf);
  return {
    text: text.replaceAll(/\s+/g, ' ').trim(),
    buffers: buffers.reduce((sum, more) => sum + more),
    steps: nodes.map(stepOf),
  };
};

/**
 * Wraps a connection that has an open transaction. Measures each statement twice before running it, and rolls both
 * measurements back. The first measurement uses a custom plan, and the second uses the plan that PostgreSQL chooses
 * after many executions.
 */
export const createMeasuredConnection = (connection: PostgresConnection) => {
  const names = new Map<string, string>();
  const measured: Measured[] = [];
  let last: Promise<unknown> = Promise.resolve();

  const explain = async (mode: 'auto' | 'force_custom_plan', text: string, execute: string): Promise<void> => {
    await connection.script(`SAVEPOINT measured; SET LOCAL plan_cache_mode = ${mode}`);
    const [row] = await connection.script(`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${execute}`);
    await connection.script('ROLLBACK TO SAVEPOINT measured; RELEASE SAVEPOINT measured');
    const [{ Plan }] = JSON.parse((row as { 'QUERY PLAN': string })['QUERY PLAN']);
    measured.push(read(text, Plan));
  };

  const measure = async (text: string, values: readonly SqlValue[]): Promise<void> => {
    const name = names.get(text) ?? `measured_${names.size}`;
    const execute = `EXECUTE ${name}${values.length === 0 ? '' : `(${values.map(literal).join(', ')})`}`;
    if (!names.has(text)) {
      names.set(text, name);
      await connection.script(`PREPARE ${name} AS ${text}`);
      for (let plans = 0; plans < PLANS_FOR_GIVEN_VALUES; plans += 1) await connection.script(`EXPLAIN ${execute}`);
    }
    await explain('force_custom_plan', text, execute);
    await explain('auto', text, execute);
  };

  /** Runs one statement at a time, because concurrent statements would distort each other's measurements. */
  const run = (text: string, values: readonly SqlValue[]): Promise<unknown[]> => {
    const result = last.then(async () => {
      await measure(text, values);
      return connection.query(text, values);
    });
    last = result.catch(() => undefined);
    return result;
  };

  const wrapped: PostgresConnection = {
    ...connection,
    query: run,
    /** Ignores `BEGIN`, `ROLLBACK` and settings, because the caller has already opened the transaction. */
    script: async () => [],
    async commit(alone) {
      if (alone) await run(alone.text, alone.values);
    },
  };
  return { connection: wrapped, take: (): Measured[] => measured.splice(0) };
};
