import { afterAll } from 'bun:test';
import { useEngine } from './service-database.ts';

/** The query string makes the second import a separate module, because this process may also run the file on SQLite. */
export const testOnPostgres = async (path: string): Promise<void> => {
  useEngine('postgres');
  afterAll(() => useEngine('sqlite'));
  await import(`${path}?on=postgres`);
};
