import { crc32 } from '../kernel/builtins.ts';
import type { Environment } from '../kernel/contract.ts';
import { type Finding, ok, wrong } from '../kernel/finding.ts';

export class DatabaseUnusable extends Error {}

export class BackupYielded extends DatabaseUnusable {}

export const causeOf = (error: unknown): Error => {
  const cause = (error instanceof Error && error.cause) || error;
  return cause instanceof Error ? cause : new Error(String(cause));
};

export const asUnusable = (error: unknown, what: string, advice = ''): DatabaseUnusable => {
  if (error instanceof DatabaseUnusable) return error;
  const cause = causeOf(error);
  return new DatabaseUnusable(`${what}: ${cause.message}${advice}`, { cause });
};

/** Production and staging must never share a database. `what` is the beginning of the message, such as "pets.db is". */
export const refuseEnvironment = (what: string, found: string, environment: Environment): void => {
  if (found === environment) return;
  throw new DatabaseUnusable(
    `${what} a ${found} database, but PETSTORE_ENVIRONMENT is ${environment}; to use it, set PETSTORE_ENVIRONMENT=${found}`,
  );
};

/** `move here` also opens the target of an unfinished move. `read` opens a database without migrating it. */
export type DatabaseUse = 'write' | 'read' | 'move here';

/** While this table exists, a move into the database is unfinished, and rows may be missing. */
export const UNFINISHED_MOVE = 'unfinished_move';

export const UNFINISHED = wrong(
  'database',
  'a move to this database has not finished, so some data is missing',
  'run the same petstore move command again',
);

export const refuseUnfinishedMove = (where: string): never => {
  throw new DatabaseUnusable(`${where}: ${UNFINISHED.found}; ${UNFINISHED.advice}`);
};

export const refuseNewer = (where: string, seen: number, known: number, readableFrom = seen): void => {
  if (readableFrom <= known) return;
  throw new DatabaseUnusable(
    `${where} was written by a newer version of petstore (schema ${seen}; this version supports up to ${known}); use that version or a later one`,
  );
};

/** Returns a checksum of the first schema, ignoring its comments. Each database stores this number. */
export const fingerprintOf = ([first = '']: readonly string[]): bigint =>
  BigInt(crc32(first.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim()));

export const madeInDevelopment = (where: string): DatabaseUnusable =>
  new DatabaseUnusable(
    `${where} was created by a development version before 1.0.0, and this version cannot upgrade it; use that version to run petstore pets export, and then import the pets into a new database`,
  );

export const pendingMigrations = (count: number): string =>
  count === 1 ? '1 migration pending' : `${count} migrations pending`;

export const refusePending = (where: string, count: number): never => {
  throw new DatabaseUnusable(`${where}: ${pendingMigrations(count)}; run petstore migrate first`);
};

export const planMigrations = (where: string, seen: number, migrations: readonly string[], readableFrom = seen) => {
  refuseNewer(where, seen, migrations.length, readableFrom);
  const describe = (step: string): string => /^\s*-- (.*)$/m.exec(step)?.[1] ?? 'no description';
  return { seen, steps: migrations.slice(seen).map(describe) };
};

export const ADVICE_TO_CREATE =
  'check DATABASE_URL and whether its volume is mounted, or set PETSTORE_CREATE=true for the first start';

export const diagnoseMissing = (part: string, missing: string, mayCreate: boolean): Finding =>
  mayCreate
    ? ok(part, `${missing} yet; the service creates it at the first start`)
    : wrong(part, `${missing}, and PETSTORE_CREATE=false prevents the service from creating it`, ADVICE_TO_CREATE);
