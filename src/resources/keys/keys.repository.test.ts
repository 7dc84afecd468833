import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onEveryEngine } from '../../../test/database.ts';
import { sampleKey } from '../../../test/sample-key.ts';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import { openSqlite } from '../../storage/sqlite/database.ts';
import { sqlKeys } from './keys.repository.sql.ts';
import { keyRepositorySuite } from './keys.repository.suite.ts';

onEveryEngine(keyRepositorySuite);

test('a change to a key or its secret is published after the commit, and never after a rollback', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  const published: string[] = [];
  const database = openSqlite({
    path: join(directory, 'petstore.db'),
    environment: 'production',
    bind: (sql) => sqlKeys(sql, { publish: (id) => void published.push(id) }),
  });
  const key = sampleKey(['pets:read']);
  const change = async (outcome: 'committed' | 'rolled back') =>
    database.write(SYSTEM_CALL, async (keys) => {
      await keys.update(key);
      await keys.replaceSecret({ ...key, id: 'key_two' }, new Uint8Array([2]), 0);
      expect(published).toEqual([]);
      if (outcome === 'rolled back') throw new Error(outcome);
    });
  await database.write(SYSTEM_CALL, async (keys) => {
    await keys.insert(key, new Uint8Array([0]));
    await keys.insert({ ...key, id: 'key_two' }, new Uint8Array([1]));
  });
  await expect(change('rolled back')).rejects.toThrow('rolled back');
  await change('committed');
  expect(published).toEqual([key.id, 'key_two']);
  await database.close();
  rmSync(directory, { recursive: true });
});
