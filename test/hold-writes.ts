import { Database as SqliteFile } from 'bun:sqlite';
import pg from 'pg';

/**
 * Keeps every write of animals waiting, as another program on the same database can; returns how to let them go on. Not for
 * long: a session of PostgreSQL 15 that runs from one lock timeout into the next keeps `DROP DATABASE` waiting on the whole
 * server (for its ProcSignalBarrier), and with it all other tests.
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
