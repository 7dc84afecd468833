import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCitusDatabase } from './citus-database.ts';
import { createPostgresDatabase } from './postgres-database.ts';

type Engine = 'sqlite' | 'postgres';

let engine: Engine = 'sqlite';

export const useEngine = (wanted: Engine): void => {
  engine = wanted;
};

const throughPooler = (url: string): string => {
  const { TEST_POOLER_URL: pooler } = process.env;
  if (!pooler) return url;
  const address = new URL(url);
  address.host = new URL(pooler).host;
  return address.href;
};

export const createServiceDatabase = async (environment?: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  const removeDirectory = async () => rmSync(directory, { recursive: true });
  if (engine === 'postgres') {
    const { TEST_CITUS_URL: citus } = process.env;
    const wanted = environment === 'staging' ? environment : 'production';
    const { url: place, drop } = await (citus ? createCitusDatabase(citus, wanted) : createPostgresDatabase(wanted));
    const url = citus ? place : throughPooler(place);
    const remove = async () => {
      await drop();
      await removeDirectory();
    };
    return { directory, url, place, remove };
  }
  const place = join(directory, 'petstore.db');
  return { directory, url: `sqlite:${place}`, place, remove: removeDirectory };
};
