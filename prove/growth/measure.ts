import { bindRepositories } from '../../src/compose/repositories.ts';
import { SYSTEM_CALL } from '../../src/kernel/operation.ts';
import { openPostgresServer } from '../../src/storage/postgres/open.ts';
import { createTransactions } from '../../src/storage/postgres/transaction.ts';
import { sequenceAfterCommit } from '../../src/streaming/sequencer.sql.ts';
import { NOW, type Store } from './fill.ts';
import { createMeasuredConnection, type Measured } from './measured-connection.ts';
import { BOUNDS, type Kind } from './statement.ts';
import { STATEMENTS } from './statements.ts';

/** Statement timeout in ms. It is long, because `EXPLAIN ANALYZE` makes each statement slower. */
const TIMEOUT_MS = 600_000;

export const openGrown = (url: string) => openPostgresServer({ url, environment: 'production', timeoutMs: TIMEOUT_MS });

export type Found = Measured & { kind: Kind; method: string; store: string };

/** Creates ids that are higher than every id that `fill` uses. */
const createIds = () => {
  let last = 1_000_000_000n;
  const next = () => ++last;
  return { next, nextIds: async (_kind: string, _store: bigint, count: number) => Array.from({ length: count }, next) };
};

/** Runs every statement of the repositories for each store, and rolls each statement back. */
export const measureStatements = async (url: string, stores: Record<string, Store>): Promise<Found[]> => {
  const { connect } = await openGrown(url);
  const plain = await connect();
  const { connection, take } = createMeasuredConnection(plain);
  const { next, nextIds } = createIds();
  const run = createTransactions(connection, { lockMs: TIMEOUT_MS, nextIds });
  const bind = bindRepositories({
    clock: () => NOW,
    // The number comes first, because a delivery's id contains only the first 12 characters of its event's id.
    randomText: (length) => `${next()}`.padEnd(length, 'x'),
    keyChanges: { publish: () => undefined },
    sequencer: sequenceAfterCommit({ now: () => NOW, assign: async () => undefined, committed: () => undefined }),
  });
  const cases = Object.entries(STATEMENTS).flatMap(([repository, methods]) =>
    Object.entries(methods).flatMap(([name, method]) =>
      typeof method === 'string' ? [] : [method].flat().map((one) => ({ ...one, method: `${repository}.${name}` })),
    ),
  );
  const order = Object.keys(BOUNDS);
  cases.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  const found: Found[] = [];
  for (const { kind, use, method } of cases) {
    for (const [store, given] of Object.entries(stores)) {
      await plain.script('BEGIN');
      const call = { ...SYSTEM_CALL, storeId: given.storeId, keyId: given.keyId };
      await run(async (sql) => void (await use(bind(sql, call), given)));
      await plain.script('ROLLBACK');
      found.push(...take().map((measured) => ({ ...measured, kind, method, store })));
    }
  }
  await plain.end();
  return found;
};
