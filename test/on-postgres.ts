import { afterAll } from 'bun:test';
import { useEngine } from './service-database.ts';

/**
 * States the tests of a file with its services on PostgreSQL, in a process that may state them on SQLite too: the words
 * behind the question mark make it another module.
 */
export const testOnPostgres = async (path: string): Promise<void> => {
  useEngine('postgres');
  afterAll(() => useEngine('sqlite'));
  await import(`${path}?on=postgres`);
};
