import { afterAll } from 'bun:test';
import { useEngine } from './service-database.ts';

/**
 * Runs a test file on PostgreSQL, in a process that may also run the file on SQLite. The query string makes the second
 * import a separate module.
 */
export const testOnPostgres = async (path: string): Promise<void> => {
  useEngine('postgres');
  afterAll(() => useEngine('sqlite'));
  await import(`${path}?on=postgres`);
};
