import { describe, expect, test } from 'bun:test';
import { createSeeded } from '../seeded.ts';
import { createRecordedDisk } from './recorded-disk.ts';
import type { Entry } from './recording.ts';

const SECTOR = 512;

type Call = [kind: Entry['kind'], name?: string, number?: number, bytes?: Buffer];

const takeAll = (disk: ReturnType<typeof createRecordedDisk>, calls: readonly Call[]) => {
  for (const [kind, name = '', number = 0, bytes = Buffer.alloc(0)] of calls) disk.take({ kind, name, number, bytes });
};

/**
 * Returns all states that a file can be in after a power loss. A state has one letter for each sector, or a dot for a
 * sector that was never written.
 */
const findings = (calls: readonly Call[], name = 'a.db'): Set<string> => {
  const disk = createRecordedDisk();
  takeAll(disk, calls);
  const found = Array.from({ length: 400 }, (_, seed) => disk.lose(createSeeded(seed * 7919)).files.get(name));
  const show = (file: Buffer) =>
    Array.from({ length: file.length / SECTOR }, (_, sector) =>
      file.toString('latin1', sector * SECTOR, sector * SECTOR + 1),
    );
  return new Set(found.map((file) => (file ? show(file).join('').replaceAll('\0', '.') : 'none')));
};

const letters = (text: string): Buffer => Buffer.from([...text].map((letter) => letter.repeat(SECTOR)).join(''));
const sync = (name: string, number = 1): Call[] => [
  ['sync begun', name, number],
  ['sync ended', name, number],
];
const there = (content: string): Call[] => [
  ['created', 'a.db'],
  ['written', 'a.db', 0, letters(content)],
  ...sync('a.db'),
  ...sync(''),
];

describe('a recorded disk', () => {
  test('keeps synced content', () => {
    expect(findings(there('ab'))).toEqual(new Set(['ab']));
  });

  test('keeps any sectors of unsynced writes', () => {
    expect(findings([...there('aa'), ['written', 'a.db', 0, letters('bb')]])).toEqual(
      new Set(['aa', 'ab', 'ba', 'bb']),
    );
  });

  test('has content from a single moment in each sector', () => {
    const calls: Call[] = [
      ['written', 'a.db', 0, letters('b')],
      ['written', 'a.db', 0, letters('c')],
    ];
    expect(findings([...there('a'), ...calls])).toEqual(new Set(['a', 'b', 'c']));
  });

  test('does not count writes during a sync as synced', () => {
    const calls: Call[] = [
      ['written', 'a.db', 0, letters('b')],
      ['sync begun', 'a.db', 2],
      ['written', 'a.db', 0, letters('c')],
      ['sync ended', 'a.db', 2],
    ];
    expect(findings([...there('a'), ...calls])).toEqual(new Set(['b', 'c']));
  });

  test('forgets a sync that was running when the process ended', () => {
    const calls: Call[] = [
      ['written', 'a.db', 0, letters('b')],
      ['sync begun', 'a.db', 2],
      ['started'],
      ['sync ended', 'a.db', 2],
    ];
    expect(findings([...there('a'), ...calls])).toEqual(new Set(['a', 'b']));
  });

  test('has a file of any size that it had since the sync, with gaps or old content in unwritten space', () => {
    const calls: Call[] = [['written', 'a.db', SECTOR, letters('b')]];
    expect(findings([...there('a'), ...calls])).toEqual(new Set(['a', 'a.', 'aa', 'ab']));
  });

  test('loses the content after a truncation or, if the truncation is lost, everything written after it', () => {
    const calls: Call[] = [
      ['resized', 'a.db', 0],
      ['written', 'a.db', 0, letters('c')],
    ];
    expect(findings([...there('ab'), ...calls])).toEqual(new Set(['ab', '', '.', 'a', 'b', 'c']));
  });

  test('has a name and its file once the folder is synced', () => {
    const calls: Call[] = [['created', 'a.db'], ['written', 'a.db', 0, letters('a')], ...sync('a.db')];
    expect(findings(calls)).toEqual(new Set(['none', 'a']));
    expect(findings([...there('a'), ['removed', 'a.db']])).toEqual(new Set(['none', 'a']));
    expect(findings([...there('a'), ['removed', 'a.db'], ...sync('', 2)])).toEqual(new Set(['none']));
    const renamed: Call[] = [...there('a'), ['renamed', 'a.db', 0, Buffer.from('b.db')]];
    expect(findings(renamed, 'b.db')).toEqual(new Set(['none', 'a']));
    expect(findings([...renamed, ...sync('', 2)], 'b.db')).toEqual(new Set(['a']));
  });
});
