import { afterAll } from 'bun:test';
import { useEngine } from './service-database.ts';

/** The query string makes Bun load the tests again, even if the same process has already run them on SQLite. */
export const testOnPostgres = async (path: string): Promise<void> => {
  useEngine('postgres');
  afterAll(() => useEngine('sqlite'));
  await import(`${path}?on=postgres`);
};
