import { bindRepositories } from '../src/compose/repositories.ts';
import { SYSTEM_CALL } from '../src/kernel/operation.ts';
import { createLocalKeyChanges } from '../src/resources/keys/changes.ts';
import { createPet, type PetRepositories } from '../src/resources/pets/create-pet.ts';
import { sqlPets } from '../src/resources/pets/pets.repository.sql.ts';
import type { PostgresConnection } from '../src/storage/postgres/connection.ts';
import type { Statement } from '../src/storage/postgres/one-statement.ts';
import { createTransactions } from '../src/storage/postgres/transaction.ts';
import type { Sql } from '../src/storage/sql.ts';
import { sequenceAfterCommit } from '../src/streaming/sequencer.sql.ts';

/** Records the SQL statement that the service uses to read a pet. The bare server sends the same statement. */
export const findText = async (): Promise<string> => {
  let sent = '';
  const sql = {
    writer: 0n,
    one: async (text: string) => {
      sent = text;
      return undefined;
    },
  } as unknown as Sql;
  await sqlPets(sql, 1n, () => 0).find(1n);
  return sent;
};

/**
 * The SQL statement that adds a pet has many parameters. The parameters listed here differ from request to request, and
 * all other parameters stay the same.
 */
export type Varying = 'pet id' | 'event id' | 'counter slot';
export type RecordedCreate = { text: string; values: (string | null)[]; varying: Record<Varying, number[]> };

const PET_ID = 4_242_424_242n;
const SLOT = 42n;
const KEY_ID = `key_${'k'.repeat(16)}`;
const REQUEST_ID = `req_${'r'.repeat(24)}`;
const EVENT_ID = 'e'.repeat(24);

/** Records the single SQL statement that the service uses to create a pet on PostgreSQL. */
export const recordCreate = async (now = Date.now()): Promise<RecordedCreate> => {
  let sent: Statement | undefined;
  const connection = {
    process: SLOT,
    commit: async (alone?: Statement) => {
      sent = alone;
    },
  } as unknown as PostgresConnection;
  const bind = bindRepositories({
    clock: () => now,
    randomText: () => EVENT_ID,
    keyChanges: createLocalKeyChanges(),
    sequencer: sequenceAfterCommit({ now: () => null, assign: async () => undefined, committed: () => undefined }),
  });
  const call = { ...SYSTEM_CALL, keyId: KEY_ID, requestId: REQUEST_ID };
  const input = { body: { name: 'Rex', categoryId: 1n, status: 'available' } };
  const create = (sql: Sql) => createPet.run(bind(sql, call) satisfies PetRepositories, input, call, {} as never);
  await createTransactions(connection, { lockMs: 1, nextIds: async () => [PET_ID] })(create);
  if (!sent) throw new Error('the service creates a pet with more than one statement');
  const { text, values } = sent;
  const positionsOf = (wanted: unknown) => values.flatMap((value, index) => (value === wanted ? index : []));
  return {
    text,
    values: values.map((value) => (value === null ? null : String(value))),
    varying: {
      'pet id': positionsOf(PET_ID),
      'event id': positionsOf(`evt_${EVENT_ID}`),
      'counter slot': positionsOf(SLOT),
    },
  };
};
