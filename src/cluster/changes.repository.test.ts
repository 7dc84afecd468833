import { describe, expect, test } from 'bun:test';
import { POSTGRES_SERVER } from '../../test/postgres-database.ts';
import { openPostgresSql } from '../../test/postgres-sql.ts';
import { sampleKey } from '../../test/sample-key.ts';
import { SYSTEM_CALL } from '../kernel/operation.ts';
import { createLocalKeyChanges } from '../resources/keys/changes.ts';
import { sqlKeys } from '../resources/keys/keys.repository.sql.ts';
import type { KeyRepository } from '../resources/keys/keys.repository.ts';
import { sqlChanges } from './changes.repository.sql.ts';

describe.skipIf(!POSTGRES_SERVER)('the changes of a cluster', () => {
  const postgres = openPostgresSql();

  const since = (mark?: string) => sqlChanges(postgres.database.read(1n)).since(mark);
  const open = (id: number, hold: Promise<void> = Promise.resolve(), written: () => void = () => undefined) =>
    postgres.database.write(SYSTEM_CALL, async (sql) => {
      await sql.one('INSERT INTO stores (id, created_at, last_sequence) VALUES ($1, 0, 0) RETURNING id', [id]);
      written();
      await hold;
    });

  test('start empty, and contain each change once', async () => {
    await open(1);
    const first = await since();
    expect(first.storeIds).toEqual([]);
    await open(2);
    const second = await since(first.mark);
    expect(second.storeIds).toEqual([2n]);
    expect((await since(second.mark)).storeIds).toEqual([]);
  });

  test('contain a change once while an earlier transaction stays open, and that transaction after its commit', async () => {
    const before = await since();
    const held = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const slow = open(10, held.promise, written.resolve);
    await written.promise;
    await open(11);
    const meanwhile = await since(before.mark);
    expect(meanwhile.storeIds).toEqual([11n]);
    const later = await since(meanwhile.mark);
    expect(later.storeIds).toEqual([]);
    held.resolve();
    await slow;
    expect((await since(later.mark)).storeIds).toEqual([10n]);
  });

  test('contain a changed key but not a new one, whose streams would end for no reason', async () => {
    const key = sampleKey(['pets:read']);
    const write = (body: (keys: KeyRepository) => Promise<void>) =>
      postgres.database.write(SYSTEM_CALL, (sql) => body(sqlKeys(sql, createLocalKeyChanges())));
    const before = await since();
    await write((keys) => keys.insert(key, new Uint8Array(32)));
    const made = await since(before.mark);
    expect(made.keyIds).toEqual([]);
    await write((keys) => keys.update({ ...key, name: 'Renamed' }));
    expect((await since(made.mark)).keyIds).toEqual([key.id]);
  });
});
