import { describe, expect, test } from 'bun:test';
import { suggest } from './suggest.ts';

describe('a suggestion for an unknown word', () => {
  const verbs = ['list', 'create', 'get', 'update', 'delete', 'rotate-secret'];
  const meant: [string, string | undefined][] = [
    ['lsit', 'list'],
    ['crate', 'create'],
    ['creates', 'create'],
    ['UPDATE', 'update'],
    ['rotate', 'rotate-secret'],
    ['show', 'get'],
    ['rm', 'delete'],
    ['', undefined],
    ['adopt', undefined],
    ['x'.repeat(100_000), undefined],
  ];
  test.each(meant)('for %.20s is %s', (given, expected) => {
    expect(suggest(given, verbs)).toBe(expected);
  });

  test('is the closest of several', () => {
    expect(suggest('pet.create', ['pet.updated', 'pet.created', 'key.created'])).toBe('pet.created');
    expect(suggest('delet-e', ['deletes', 'delete'])).toBe('delete');
  });

  test('is missing for a word that is longer than any command, even if it is close', () => {
    const [long, longer] = ['a'.repeat(40), 'a'.repeat(41)];
    expect([suggest(long, [longer]), suggest(longer, [long])]).toEqual([longer, undefined]);
  });
});
