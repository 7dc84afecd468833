import { afterEach, beforeEach, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../test/database.ts';
import { sampleKey } from '../../test/sample-key.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import type { Key } from '../resources/keys/key.ts';
import { unbanKey } from '../resources/keys/unban-key.ts';
import { banKey } from './ban-key.ts';

let opened: TestDatabase;
beforeEach(async () => {
  opened = openTestDatabase();
  await opened.database.write(SYSTEM_CALL, ({ stores }) => stores.open(1n));
  await opened.database.write(SYSTEM_CALL, ({ keys }) => keys.insert(sampleKey(['pets:read']), new Uint8Array(32)));
});
afterEach(() => opened.close());

const DAY = 24 * 3_600_000;
const ban = (keyId: string) => {
  const bannedAt = opened.clock();
  const one = { bannedAt, until: bannedAt + 120_000, forgottenAt: bannedAt + DAY };
  return opened.database.write(SYSTEM_CALL, (repositories) => banKey(repositories, keyId, one, bannedAt + 1000));
};
const keyEvents = async () => {
  const page = { limit: 10, order: 'asc' as const, after: undefined };
  const events = await opened.database.read(1n).events.list({ withOperators: true }, page);
  return events.map(({ type, data }) => [type, JSON.parse(data).object.bannedUntil]);
};
const found = (keyId: string) => opened.database.read(1n).limits.findBan(keyId, opened.clock());

test('a ban is stored, and its event shows when it ends by the system clock', async () => {
  await ban('key_one');
  expect(await found('key_one')).toMatchObject({ until: opened.clock() + 120_000 });
  expect(await keyEvents()).toEqual([['key.banned', new Date(opened.clock() + 1000).toISOString()]]);
});

test('a ban that is already stored writes no event, and neither does a ban of a subject that is not a key', async () => {
  await ban('key_one');
  await ban('key_one');
  await ban('key_unknown');
  expect(await keyEvents()).toHaveLength(1);
  expect(await found('key_unknown')).toBeDefined();
});

test('lifting a ban changes the key once, which notifies other instances', async () => {
  await ban('key_one');
  const changed: string[] = [];
  const unban = () =>
    opened.database.write(SYSTEM_CALL, (repositories) => {
      const update = (key: Key) => {
        changed.push(key.id);
        return repositories.keys.update(key);
      };
      const noting = { ...repositories, keys: { ...repositories.keys, update } };
      return unbanKey.run(noting, { path: { keyId: 'key_one' } }, SYSTEM_CALL, {} as never) as Promise<unknown>;
    });
  await unban();
  await unban();
  expect(changed).toEqual(['key_one']);
  expect((await keyEvents()).map(([type]) => type)).toEqual(['key.banned', 'key.unbanned']);
});
