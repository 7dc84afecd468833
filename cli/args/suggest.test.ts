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
  });
});
