import { describe, expect, test } from 'bun:test';
import { ranked } from './rank.ts';

const find = (items: readonly string[], typed: string) => ranked(items, typed, (item) => item);

describe('matches', () => {
  test('are exact first, then by beginning, by word, by the beginning of a word, and by any part; shorter ones first', () => {
    const items = ['Unkeyed', 'Show keyboard shortcuts', 'Go to Keys', 'Create key', 'Key ring', 'key', 'Pets'];
    expect(find(items, ' KEY ')).toEqual([
      ...['key', 'Key ring', 'Create key', 'Go to Keys', 'Show keyboard shortcuts', 'Unkeyed'],
    ]);
  });

  test('contain all words, in any order, and keep their order if nothing is typed', () => {
    const items = ['Export pets as CSV', 'Export pets as NDJSON', 'Import pets'];
    expect(find(items, 'pets export')).toEqual(['Export pets as CSV', 'Export pets as NDJSON']);
    expect(find(items, '')).toEqual(items);
  });
});
