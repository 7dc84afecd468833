import { closeSync, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { createSha256, randomBytes } from '../../../kernel/digest.ts';
import { VERSION } from '../../../version.ts';
import { DatabaseUnusable } from '../../unusable.ts';
import { connectSqlite, isDamaged, type SqliteConnection } from '../connection.ts';

/** What a backup says of itself. */
export type BackupFacts = {
  /** Of the program that made it. */
  version: string;
  schema: number;
  environment: string;
  madeAt: number;
  stores: number;
  /** How many rows each table has. */
  rows: Record<string, number>;
  /** Whether the database passed `integrity_check` right before it was copied; earlier versions did not check it. */
  isSourceChecked: boolean;
};

type Manifest = BackupFacts & { digest: Uint8Array };

const TABLE = 'petstore_backup';

/** Whole pages, so that none of the small values in them lies across the border of two pieces. */
const PIECE_BYTES = 1024 * 1024;
const DIGEST_BYTES = 32;

/** Hashes a file that comes in pieces with its own digest left out: where that stands are zeros. */
export const createSum = (digest: Uint8Array) => {
  const hash = createSha256();
  let [seen, at] = [0, -1];
  return {
    add(piece: Buffer): void {
      const found = at < 0 ? piece.indexOf(digest) : -1;
      if (found < 0) hash.update(piece);
      else {
        at = seen + found;
        hash.update(Buffer.from(piece).fill(0, found, found + DIGEST_BYTES));
      }
      seen += piece.length;
    },
    end: (): { sum: Uint8Array; at: number } => ({ sum: hash.digest(), at }),
  };
};

/** The file piece by piece. Each is overwritten by the next. */
export function* piecesOf(file: number): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = 0, length = -1; length !== 0; at += length) {
    length = readSync(file, buffer, 0, PIECE_BYTES, at);
    if (length > 0) yield buffer.subarray(0, length);
  }
}

const countRows = (copy: SqliteConnection): Record<string, number> => {
  const tables = copy.all(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> $1 ORDER BY name",
    [TABLE],
  ) as { name: string }[];
  return Object.fromEntries(
    tables.map(({ name }) => {
      const { count } = copy.one(`SELECT count(*) AS count FROM "${name}"`, []) as { count: bigint };
      return [name, Number(count)];
    }),
  );
};

const mustBeWhole = (copy: SqliteConnection): void => {
  const { quick_check: found } = copy.one('PRAGMA quick_check(1)', []) as { quick_check: string };
  if (found !== 'ok') throw new Error(`the database is damaged: ${found}`);
};

/** Checks a copy and puts a table into it that says what it holds, with `mark` in the place of its digest. */
const describe = (path: string, madeAt: number, mark: Uint8Array, isSourceChecked: boolean): BackupFacts => {
  const copy = connectSqlite(path);
  try {
    mustBeWhole(copy);
    // One that was restored by hand brings that of the backup along.
    copy.script(`DROP TABLE IF EXISTS ${TABLE}`);
    const rows = countRows(copy);
    const { user_version: schema } = copy.one('PRAGMA user_version', []) as { user_version: bigint };
    const { environment } = copy.one('SELECT environment FROM deployment', []) as { environment: string };
    copy.script(`CREATE TABLE ${TABLE} (
      version TEXT NOT NULL, schema INTEGER NOT NULL, environment TEXT NOT NULL, made_at INTEGER NOT NULL,
      stores INTEGER NOT NULL, rows TEXT NOT NULL, digest BLOB NOT NULL, source_checked INTEGER NOT NULL
    ) STRICT`);
    const stores = rows.stores ?? 0;
    const facts = { version: VERSION, schema: Number(schema), environment, madeAt, stores, rows, isSourceChecked };
    copy.run(`INSERT INTO ${TABLE} VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, [
      ...[facts.version, schema, environment, BigInt(madeAt), BigInt(facts.stores), JSON.stringify(rows)],
      mark,
      isSourceChecked ? 1n : 0n,
    ]);
    return facts;
  } finally {
    copy.close();
  }
};

/**
 * Checks a finished copy, says in it what it holds, and seals it by the digest of all its bytes: damage that leaves the
 * structure of a database whole, inside a name for instance, is found by that alone. It is on disk when this returns.
 */
export const writeManifest = (path: string, madeAt: number, isSourceChecked = false): BackupFacts => {
  const mark = randomBytes(DIGEST_BYTES);
  const facts = describe(path, madeAt, mark, isSourceChecked);
  const file = openSync(path, 'r+');
  try {
    const sums = createSum(mark);
    for (const piece of piecesOf(file)) sums.add(piece);
    const { sum, at } = sums.end();
    writeSync(file, sum, 0, DIGEST_BYTES, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return facts;
};

type ManifestRow = Omit<Manifest, 'schema' | 'madeAt' | 'stores' | 'rows' | 'isSourceChecked'> & {
  schema: bigint;
  made_at: bigint;
  stores: bigint;
  rows: string;
  /** Absent in backups of earlier versions. */
  source_checked?: bigint;
};

const readRow = (path: string): ManifestRow | undefined => {
  const file = connectSqlite(path, undefined, 'read');
  try {
    const hasManifest = file.one('SELECT 1 AS found FROM sqlite_schema WHERE name = $1', [TABLE]) !== undefined;
    return hasManifest ? (file.one(`SELECT * FROM ${TABLE}`, []) as ManifestRow | undefined) : undefined;
  } finally {
    file.close();
  }
};

/** The engine has one word for all of these. */
const mustBeFile = (path: string): void => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new DatabaseUnusable(`there is no file ${path}; name the backup that is to be restored`);
  if (found.isDirectory()) throw new DatabaseUnusable(`${path} is a folder; name one of the backups in it`);
};

/** What a backup says of itself. Whether it is true tells its digest. */
export const readManifest = (path: string): Manifest => {
  try {
    mustBeFile(path);
    const row = readRow(path);
    if (!row) throw new DatabaseUnusable(`${path} is no backup that petstore has made and finished`);
    const { version, environment, digest } = row;
    const [schema, madeAt, stores] = [Number(row.schema), Number(row.made_at), Number(row.stores)];
    const isSourceChecked = row.source_checked === 1n;
    return { version, schema, environment, madeAt, stores, rows: JSON.parse(row.rows), isSourceChecked, digest };
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error;
    if (isDamaged(error)) throw damaged(path);
    const cause = (error as Error).cause ?? error;
    throw new DatabaseUnusable(`cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
};

export const damaged = (path: string): DatabaseUnusable =>
  new DatabaseUnusable(`${path} is not as it was made: it is damaged or was changed; take another backup`);

/** Takes the description out of a copy that is to be used as a database again. */
export const removeManifest = (path: string): void => {
  const copy = connectSqlite(path);
  try {
    copy.script(`DROP TABLE ${TABLE}`);
  } finally {
    copy.close();
  }
};
