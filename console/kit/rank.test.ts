import { describe, expect, test } from 'bun:test';
import { ranked } from './rank.ts';

const find = (items: readonly string[], typed: string) => ranked(items, typed, (item) => item);

describe('matches', () => {
  test('are exact first, then by beginning, by word, by the beginning of a word, and by any part', () => {
    const items = ['Unkeyed', 'Go to Keys', 'Create key', 'Key ring', 'key', 'Pets'];
    expect(find(items, ' KEY ')).toEqual(['key', 'Key ring', 'Create key', 'Go to Keys', 'Unkeyed']);
  });

  test('contain all words, in any order, and keep their order if they are equally good', () => {
    const items = ['Export pets as CSV', 'Export pets as NDJSON', 'Import pets'];
    expect(find(items, 'pets export')).toEqual(['Export pets as CSV', 'Export pets as NDJSON']);
    expect(find(items, '')).toEqual(items);
  });
});
