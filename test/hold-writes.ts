import { Database as SqliteFile } from 'bun:sqlite';
import pg from 'pg';

/**
 * Blocks all writes to pets until the returned function is called. Call that function soon: on PostgreSQL 15, a session
 * that has had two lock timeouts in a row blocks `DROP DATABASE` on the whole server, and all other tests stop.
 */
export const holdWrites = async (place: string): Promise<() => Promise<void>> => {
  if (place.startsWith('postgres:')) {
    const client = new pg.Client({ connectionString: place });
    await client.connect();
    await client.query('BEGIN; LOCK TABLE pets IN EXCLUSIVE MODE');
    return () => client.end();
  }
  const file = new SqliteFile(place);
  file.run('BEGIN IMMEDIATE');
  return async () => {
    file.run('ROLLBACK');
    file.close();
  };
};
