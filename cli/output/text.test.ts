import { describe, expect, test } from 'bun:test';
import { displayWidth, eventWords, padEnd, relativeTime, truncate, visible } from './text.ts';

describe('text on a terminal', () => {
  test.each([
    ['\u001b[31mRex', '\\u001b[31mRex'],
    ['Rex\nMia', 'Rex\\u000aMia'],
    ['Rex\u2028Mia', 'Rex\\u2028Mia'],
    ['Rex\u2029Mia', 'Rex\\u2029Mia'],
    ['Rex\u202eMia', 'Rex\\u202eMia'],
    ['Rex\u2066Mia', 'Rex\\u2066Mia'],
    ['Zoë 鳥 🐕', 'Zoë 鳥 🐕'],
  ])('has every control character escaped: %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test('is measured in terminal columns', () => {
    expect(['鳥', '🐕', 'é'].map(displayWidth)).toEqual([2, 2, 1]);
    expect(padEnd('鳥', 4)).toBe('鳥  ');
    expect(truncate('鳥鳥鳥', 5)).toBe('鳥鳥…');
    expect(truncate('Rex', 3)).toBe('Rex');
    expect(truncate('Rexi', 3)).toBe('Re…');
  });

  test('distinguishes past and future', () => {
    const now = Date.parse('2026-11-16T12:00:00Z');
    const away = [-90_000, 90_000, 0, 3 * 3_600_000, -2 * 86_400_000, 61 * 86_400_000];
    expect(away.map((ms) => relativeTime(now + ms, now))).toEqual([
      '1 min ago',
      'in 1 min',
      'now',
      'in 3 h',
      '2 d ago',
      '2027-01-16',
    ]);
  });

  test('summarizes an event', () => {
    const data = { object: { id: 17, name: 'Rex', status: 'pending' }, previous: { status: 'available' } };
    expect(eventWords({ type: 'pet.status_changed', data })).toBe('pet 17 Rex, status available → pending');
    const merge = { object: { id: 1000, name: 'Pups' }, mergedInto: { id: 1, name: 'Dogs' } };
    expect(eventWords({ type: 'category.deleted', data: merge })).toBe('category 1000 Pups, merged into 1 Dogs');
  });
});
