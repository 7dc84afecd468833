import { describe, expect, test } from 'bun:test';
import type { z } from 'zod';
import { OPERATIONS } from '../commands/command.ts';
import { chooseColumns, columnsOf, expectRows, expectThing } from './columns.ts';

const viewOf = (command: string) => {
  const list = OPERATIONS.get(command)?.answer.body as z.ZodArray<z.ZodType>;
  return columnsOf(list.element).view;
};

const NOW = Date.parse('2026-11-16T12:00:00Z');
const [PAST, NEXT] = ['2026-11-16T11:59:59Z', '2026-11-16T12:00:01Z'];

describe('the state of a key', () => {
  const stateOf = (row: object) =>
    viewOf('keys list')
      .find(({ name }) => name === 'state')
      ?.derive?.({ revokedAt: null, expiresAt: null, bannedUntil: null, ...row }, NOW);

  test.each([
    [{}, 'active'],
    [{ expiresAt: NEXT }, 'active'],
    [{ expiresAt: PAST }, 'expired'],
    [{ bannedUntil: NEXT }, 'banned'],
    [{ bannedUntil: PAST }, 'active'],
    [{ bannedUntil: NEXT, expiresAt: PAST }, 'expired'],
    [{ revokedAt: PAST, expiresAt: PAST }, 'revoked'],
  ])('of %j is %s', (row, state) => {
    expect(stateOf(row)).toBe(state);
  });
});

describe('columns', () => {
  test('are chosen in the given order, in any spelling, and times may omit `At`', () => {
    const chosen = chooseColumns(viewOf('keys list'), 'last-used,ID', 'petstore keys list --help');
    expect(chosen.map(({ name }) => name)).toEqual(['lastUsedAt', 'id']);
    expect(() => chooseColumns(viewOf('keys list'), 'nmae', '')).toThrow('unknown column "nmae"; did you mean name?');
  });

  test('from a server that is not a petstore service are refused', () => {
    expect(expectThing({ name: 'Rex' }, 'name')).toEqual({ name: 'Rex' });
    expect(() => expectThing({ name: 7 }, 'name')).toThrow();
    expect(() => expectThing(['Rex'])).toThrow();
    expect(expectRows([{ id: 1 }])).toEqual([{ id: 1 }]);
    expect(() => expectRows([{ id: 1 }, 7])).toThrow();
    expect(() => expectRows({ id: 1 })).toThrow();
  });
});
