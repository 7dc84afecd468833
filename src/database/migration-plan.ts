/** What a start would do to the schema of a database. */
export type MigrationPlan = { seen: number; steps: readonly string[] };

/** Each step begins with a comment that says what it changes. */
const wordsOf = (step: string): string => /^\s*-- (.*)$/m.exec(step)?.[1] ?? 'changes without words';

export const planMigrations = (seen: number, migrations: readonly string[]): MigrationPlan => ({
  seen,
  steps: migrations.slice(seen).map(wordsOf),
});
