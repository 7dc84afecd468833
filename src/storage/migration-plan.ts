import { DatabaseUnusable } from './unusable.ts';

/** What a start would do to the schema of a database. */
export type MigrationPlan = { seen: number; steps: readonly string[] };

/** Each step begins with a comment that says what it changes. */
const wordsOf = (step: string): string => /^\s*-- (.*)$/m.exec(step)?.[1] ?? 'changes without words';

export const refuseNewer = (where: string, seen: number, known: number): void => {
  if (seen <= known) return;
  throw new DatabaseUnusable(
    `${where} was written by a newer version of petstore (schema ${seen}, this version knows ${known})`,
  );
};

export const planMigrations = (where: string, seen: number, migrations: readonly string[]): MigrationPlan => {
  refuseNewer(where, seen, migrations.length);
  return { seen, steps: migrations.slice(seen).map(wordsOf) };
};
