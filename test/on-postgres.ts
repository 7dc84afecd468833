import { afterAll } from 'bun:test';
import { useEngine } from './service-database.ts';

/**
 * Runs a file's tests on PostgreSQL, in a process that may also run them on SQLite. The query string makes it a
 * separate module.
 */
export const testOnPostgres = async (path: string): Promise<void> => {
  useEngine('postgres');
  afterAll(() => useEngine('sqlite'));
  await import(`${path}?on=postgres`);
};
