import { sha256 } from '../../kernel/builtins.ts';
import type { MaybePromise } from '../../kernel/runtime.ts';
import { asUnusable, DatabaseUnusable, UNFINISHED_MOVE } from '../unusable.ts';
import { type Pair, pairTables, type Row, type Table, type Value, valuesOf } from './tables.ts';

const BATCH_ROWS = 1000;
const FIRST_ROWS = 100;
/**
 * Limits the size of a batch (characters of text plus bytes of blobs), because a single row may contain a stored
 * response of 1 MB.
 */
const BATCH_SIZE = 4_000_000;

/** While a source is open, no other process can change it. */
export type Source = {
  name: string;
  tables: readonly Table[];
  query(text: string, values: readonly Value[]): MaybePromise<unknown[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

export type Target = Source & {
  /** Inserts rows without running triggers. Must be called within a transaction. */
  insert(table: string, columns: readonly string[], rows: readonly Row[]): MaybePromise<void>;
  /** Services refuse to use the target until `finish` has run. */
  finish(): Promise<void>;
};

type Sum = { rows: number; checksum: string };
export type Compared = { table: string; source: Sum; target: Sum; isEqual: boolean };
type Step = 'moving' | 'comparing';
export type MoveWatch = { tell(step: Step, doneRows: number, totalRows: number): void; signal: AbortSignal };

/** Each encoded value starts with its type, so that the number 1 and the string "1" differ. */
const encodeValue = (value: Value): string | null => {
  if (value === null) return null;
  if (typeof value === 'bigint') return `i${value}`;
  return typeof value === 'string' ? `t${value}` : `b${value.toHex()}`;
};

const decodeValue = (text: string | null): Value => {
  if (text === null) return null;
  const [kind, rest] = [text[0], text.slice(1)];
  if (kind === 'i') return BigInt(rest);
  return kind === 't' ? rest : Uint8Array.fromHex(rest);
};

/** Checksums are computed from this encoding, so it must be the same for both engines. */
const encode = (values: readonly Value[]): string => JSON.stringify(values.map(encodeValue));
const decode = (text: string): Value[] => (text === '' ? [] : JSON.parse(text).map(decodeValue));

const sizeOf = (value: Value): number => (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8);

async function* readBatches(from: Source, table: Table, columns: readonly string[], position: readonly Value[]) {
  const key = table.key.join(', ');
  const select = `SELECT ${[...new Set([...columns, ...table.key])].join(', ')} FROM ${table.name}`;
  const after = `WHERE (${key}) > (${table.key.map((_, index) => `$${index + 2}`).join(', ')})`;
  let [last, most] = [position, FIRST_ROWS];
  for (;;) {
    const where = last.length === 0 ? '' : after;
    const rows = (await from.query(`${select} ${where} ORDER BY ${key} LIMIT $1`, [BigInt(most), ...last])) as Row[];
    if (rows.length === 0) return;
    last = valuesOf(rows.at(-1) as Row, table.key);
    yield { rows, position: last };
    const size = rows.reduce((sum, row) => Object.values(row).reduce((part, value) => part + sizeOf(value), sum), 0);
    most = Math.ceil(Math.min(BATCH_ROWS, (BATCH_SIZE * rows.length) / size));
  }
}

const countRows = async ({ query }: Source, ...tables: readonly string[]): Promise<number> => {
  let total = 0;
  for (const table of tables) {
    const [row] = await query(`SELECT count(*) AS count FROM ${table}`, []);
    total += Number((row as { count: bigint }).count);
  }
  return total;
};

// SQLite requires a sequence number for every event, but after a kill, the last events in PostgreSQL may have none.
const refuseUnready = async (source: Source, pairs: readonly Pair[]): Promise<void> => {
  for (const { from, nullable } of pairs) {
    for (const column of nullable) {
      const unready = await countRows(source, `${from.name} WHERE ${column} IS NULL`);
      if (unready > 0)
        throw new DatabaseUnusable(
          `${unready} rows in ${from.name} have no ${column} yet; run the service without PETSTORE_READ_ONLY for a few seconds, then try again`,
        );
    }
  }
};

/** No ROLLBACK is needed after a failure: the move ends, and closing the connection rolls back the transaction. */
const inTransaction = async ({ query }: Target, body: () => Promise<void>): Promise<void> => {
  await query('BEGIN', []);
  await body();
  await query('COMMIT', []);
};

const begin = async (source: Source, target: Target, pairs: readonly Pair[]): Promise<void> => {
  const isResumed = target.tables.some(({ name }) => name === UNFINISHED_MOVE);
  if (isResumed) {
    const [row] = await target.query(`SELECT position FROM ${UNFINISHED_MOVE} WHERE name = ''`, []);
    const { position } = row as { position: string };
    if (position !== source.name)
      throw new DatabaseUnusable(
        `${target.name} contains an unfinished move from ${position}, not from ${source.name}; finish that move first, or use an empty database`,
      );
  } else {
    for (const { to } of pairs) {
      if ((await countRows(target, to.name)) > 0)
        throw new DatabaseUnusable(`${target.name} already has ${to.name}; a move needs an empty database`);
    }
  }
  await inTransaction(target, async () => {
    await target.query(
      `CREATE TABLE IF NOT EXISTS ${UNFINISHED_MOVE} (name TEXT NOT NULL PRIMARY KEY, position TEXT NOT NULL)`,
      [],
    );
    for (const [name, position] of [['', source.name], ...pairs.map(({ to }) => [to.name, ''])] as const)
      await target.query(`INSERT INTO ${UNFINISHED_MOVE} VALUES ($1, $2) ON CONFLICT DO NOTHING`, [name, position]);
  });
};

/** Commits each batch together with its position, so that a resumed move neither skips nor repeats a row. */
const copyTable = async (source: Source, target: Target, pair: Pair, copied: (rows: number) => void): Promise<void> => {
  const { name } = pair.to;
  const [row] = await target.query(`SELECT position FROM ${UNFINISHED_MOVE} WHERE name = $1`, [name]);
  let { position: before } = row as { position: string };
  for await (const { rows, position } of readBatches(source, pair.from, pair.columns, decode(before))) {
    const after = encode(position);
    await inTransaction(target, async () => {
      const advance = `UPDATE ${UNFINISHED_MOVE} SET position = $1 WHERE name = $2 AND position = $3 RETURNING name`;
      const isAlone = (await target.query(advance, [after, name, before])).length === 1;
      if (!isAlone) throw new DatabaseUnusable(`another move is writing to ${target.name}; wait until it has finished`);
      await target.insert(name, pair.columns, rows);
    });
    before = after;
    copied(rows.length);
  }
};

/** The engines sort some tables differently, so the checksum is a sum of hashes, which does not depend on the order. */
const sumTable = async (from: Source, table: Table, columns: readonly string[], read: (rows: number) => void) => {
  let [rows, sum] = [0, 0n];
  for await (const batch of readBatches(from, table, columns, [])) {
    for (const row of batch.rows) sum += sha256(encode(valuesOf(row, columns))).readBigUInt64BE();
    rows += batch.rows.length;
    read(batch.rows.length);
  }
  return { rows, checksum: BigInt.asUintN(64, sum).toString(16).padStart(16, '0') };
};

const run = async (source: Source, target: Target, { tell, signal }: MoveWatch): Promise<Compared[]> => {
  const pairs = pairTables(source.tables, target.tables);
  await refuseUnready(source, pairs);
  await begin(source, target, pairs);
  const names = pairs.map(({ to }) => to.name);
  const [sourceRows, targetRows] = [await countRows(source, ...names), await countRows(target, ...names)];

  const watch = (step: Step, totalRows: number) => {
    let doneRows = 0;
    return (rows: number): void => {
      if (signal.aborted) throw new DatabaseUnusable('stopped; run the same command again to continue');
      doneRows += rows;
      tell(step, doneRows, totalRows);
    };
  };
  const copied = watch('moving', sourceRows - targetRows);
  for (const pair of pairs) await copyTable(source, target, pair, copied);

  const read = watch('comparing', 2 * sourceRows);
  const compared: Compared[] = [];
  for (const { from, to, columns } of pairs) {
    const ours = await sumTable(source, from, columns, read);
    const theirs = await sumTable(target, to, columns, read);
    const isEqual = ours.rows === theirs.rows && ours.checksum === theirs.checksum;
    compared.push({ table: to.name, source: ours, target: theirs, isEqual });
  }
  if (compared.every(({ isEqual }) => isEqual)) await target.finish();
  return compared;
};

export const moveRows = async (
  openSource: () => MaybePromise<Source>,
  openTarget: () => MaybePromise<Target>,
  watch: MoveWatch,
): Promise<Compared[]> => {
  try {
    await using source = await openSource();
    await using target = await openTarget();
    return await run(source, target, watch);
  } catch (error) {
    throw asUnusable(error, 'the move stopped', '; run the same command again to continue');
  }
};
