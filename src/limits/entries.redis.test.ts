import { expect, test } from 'bun:test';
import { createEntries } from './entries.redis.ts';

const subject = (id: string) => ({ id, windows: [] });
const known = (entries: ReturnType<typeof createEntries>, ids: readonly string[]) =>
  ids.filter((id) => entries.find(id));

test('of more subjects than can be known, the one known longest is forgotten', () => {
  const entries = createEntries(() => 0, 3);
  const ids = ['a', 'b', 'c', 'd', 'e'];
  for (const id of ids) entries.of(subject(id));
  expect(known(entries, ids)).toEqual(['c', 'd', 'e']);
});

test('a subject of which Redis has to be told something is forgotten after those of which it has not', () => {
  const entries = createEntries(() => 0, 3);
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const owe = (id: string) => {
    const entry = entries.of(subject(id));
    entry.known.unreported = 1;
    entries.noteDebts(entry);
  };
  owe('a');
  for (const id of ['b', 'c', 'd']) entries.of(subject(id));
  expect(known(entries, ids)).toEqual(['a', 'c', 'd']);
  for (const id of ['c', 'd', 'e', 'f']) owe(id);
  expect(known(entries, ids)).toHaveLength(3);
  expect(entries.owing().map((entry) => entry.subject.id)).toEqual(known(entries, ids));
});
