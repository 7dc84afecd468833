import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSchemaChanges, frozenSchemas } from './frozen-schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'petstore-schema-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FIRST = '\n  -- The first schema.\n  CREATE TABLE pets (id INTEGER);\n  ';
const SECOND = '-- Pets have a color.\nALTER TABLE pets ADD COLUMN color TEXT';
const changesOf = (...sqlite: string[]) => findSchemaChanges(folder, { sqlite });

describe('the schema of a release', () => {
  beforeEach(() => {
    for (const [name, text] of frozenSchemas('1.2.0', { sqlite: [FIRST, SECOND] }))
      writeFileSync(join(folder, name), text);
  });

  test('has one file per engine', () => {
    expect(readdirSync(folder)).toEqual(['schema-1.2.0.sqlite.sql']);
    expect(frozenSchemas('1.2.0').map(([name]) => name)).toEqual([
      'schema-1.2.0.sqlite.sql',
      'schema-1.2.0.postgres.sql',
    ]);
  });

  test('may get new steps and other comments', () => {
    expect(changesOf(FIRST, SECOND)).toEqual([]);
    expect(changesOf(FIRST.replace('first', 'oldest'), SECOND, 'DROP TABLE pets')).toEqual([]);
  });

  test.each([
    ['a changed first step', [FIRST.replace('INTEGER', 'TEXT'), SECOND], [1]],
    ['a statement added to a step', [FIRST, `${SECOND}; DROP TABLE pets`], [2]],
    ['a missing step', [FIRST], [2]],
    ['steps in another order', [SECOND, FIRST], [1, 2]],
  ])('is compared with the current one: %s', (_, steps, changed) => {
    expect(changesOf(...steps)).toEqual(
      changed.map((step) =>
        expect.stringContaining(
          `src/storage/sqlite/migrations.ts: step ${step} is not the one in schema-1.2.0.sqlite.sql`,
        ),
      ),
    );
  });

  test('is not compared before the first release', () => {
    expect(findSchemaChanges(folder, { postgres: [FIRST] })).toEqual([]);
  });
});
