import { afterAll } from 'bun:test';
import { useEngine } from './service-database.ts';

/** The query string makes this import a separate module, because the same process may also run the tests on SQLite. */
export const testOnPostgres = async (path: string): Promise<void> => {
  useEngine('postgres');
  afterAll(() => useEngine('sqlite'));
  await import(`${path}?on=postgres`);
};
