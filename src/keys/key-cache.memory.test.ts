import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../test/database.ts';
import { createLocalKeyChanges } from '../kernel/key-changes.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import type { Key } from './key.ts';
import { createKeyCache } from './key-cache.memory.ts';
import type { KeyReads } from './keys.repository.ts';
import { hashSecret } from './secret.ts';

const key: Key = {
  id: 'key_one',
  name: 'Till',
  plan: 'free',
  limits: { perMinute: 60, perDay: 1000 },
  scopes: ['pets:read'],
  storeId: 1n,
  prefix: 'ps_live_',
  last4: 'abcd',
  admin: false,
  createdAt: 1,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};
/** Any text opens what its hash was stored for. */
const secret = (number: number) => `secret-${number}`;
const hash = (number: number) => hashSecret(secret(number));

let files: TestDatabase;
let reads: number;
let changes: ReturnType<typeof createLocalKeyChanges>;
/** As a request does it: what is known is not read. */
let open: (secret: string, now: number) => Promise<Key | undefined>;
/** What happens between the reading of a key and the moment it is known. */
let meanwhile: () => void | Promise<void>;
beforeEach(async () => {
  files = openTestDatabase();
  reads = 0;
  meanwhile = () => undefined;
  changes = createLocalKeyChanges();
  const keys: Pick<KeyReads, 'findBySecret'> = {
    findBySecret: async (...asked) => {
      reads += 1;
      const found = await files.database.read(1n).keys.findBySecret(...asked);
      await meanwhile();
      return found;
    },
  };
  const opened = createKeyCache({ keys, changes });
  open = async (...asked) => opened.get(asked[0]) ?? opened.open(...asked);
  await files.database.write(SYSTEM_CALL, ({ keys }) => keys.insert(key, hash(1)));
});
afterEach(() => files.close());

const rename = (name: string) => files.database.write(SYSTEM_CALL, ({ keys }) => keys.update({ ...key, name }));

describe('keys that were opened lately', () => {
  test('are read once and remembered', async () => {
    for (let times = 0; times < 3; times += 1) expect(await open(secret(1), 5)).toEqual(key);
    expect(reads).toBe(1);
  });

  test('are read again once they have changed, and others are not', async () => {
    await files.database.write(SYSTEM_CALL, ({ keys }) => keys.insert({ ...key, id: 'key_two' }, hash(2)));
    await open(secret(1), 5);
    await open(secret(2), 5);
    await rename('Front desk');
    changes.publish('key_one');
    expect((await open(secret(1), 5))?.name).toBe('Front desk');
    await open(secret(2), 5);
    expect(reads).toBe(3);
  });

  test('are not remembered as they were when they change while they are read', async () => {
    meanwhile = () => changes.publish('key_one');
    await open(secret(1), 5);
    await rename('Front desk');
    meanwhile = () => undefined;
    expect((await open(secret(1), 5))?.name).toBe('Front desk');
  });

  test('are read twice at most however many ask together, and nobody is told what was true before they asked', async () => {
    const [isRead, isHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    meanwhile = () => {
      isRead.resolve();
      return isHeld.promise;
    };
    const early = open(secret(1), 5);
    await isRead.promise;
    await rename('Front desk');
    changes.publish('key_one');
    const late = Promise.all(Array.from({ length: 1000 }, () => open(secret(1), 5)));
    isHeld.resolve();
    expect((await early)?.name).toBe('Till');
    expect(new Set((await late).map((found) => found?.name))).toEqual(new Set(['Front desk']));
    expect(reads).toBe(2);
  });

  test('are not remembered by a secret that has an end', async () => {
    await files.database.write(SYSTEM_CALL, ({ keys }) => keys.replaceSecret(key, hash(3), 100));
    expect(await open(secret(1), 99)).toBeDefined();
    expect(await open(secret(1), 100)).toBeUndefined();
  });

  test('do not include secrets that open nothing', async () => {
    expect(await open(secret(9), 5)).toBeUndefined();
    await files.database.write(SYSTEM_CALL, ({ keys }) => keys.insert({ ...key, id: 'key_new' }, hash(9)));
    expect((await open(secret(9), 5))?.id).toBe('key_new');
  });
});
