import { describe, expect, test } from 'bun:test';
import type { Key, Usage } from '../../client/src/index.ts';
import { stateOf } from './key-state.ts';
import { texts } from './texts.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const [PAST, PRESENT, NEXT] = ['2026-11-16T11:59:59Z', '2026-11-16T12:00:00Z', '2026-11-16T12:00:01Z'];

describe('the state of a key', () => {
  test.each([
    [{}, 'active'],
    [{ expiresAt: NEXT }, 'active'],
    [{ expiresAt: PRESENT }, 'expired'],
    [{ expiresAt: PAST }, 'expired'],
    [{ bannedUntil: NEXT }, 'banned'],
    [{ bannedUntil: PRESENT }, 'active'],
    [{ bannedUntil: PAST }, 'active'],
    [{ revokedAt: PAST, bannedUntil: NEXT }, 'revoked'],
  ] as const)('of %j is %s', (parts, state) => {
    const key = { revokedAt: null, expiresAt: null, bannedUntil: null, ...parts } as Key;
    const tones = { active: 'good', expired: 'plain', banned: 'bad', revoked: 'plain' } as const;
    expect(stateOf(key, NOW)).toMatchObject({ word: texts.states[state], tone: tones[state] });
  });

  test.each([
    [89, 10, 'active'],
    [90, 10, 'near'],
    [1, 900, 'near'],
  ] as const)('with %d of 100 requests a minute and %d of 1,000 a day used is %s', (minute, day, state) => {
    const key = { revokedAt: null, expiresAt: null, bannedUntil: null } as Key;
    const windows = { minute: { used: minute, limit: 100 }, day: { used: day, limit: 1000 } } as Usage;
    expect(stateOf(key, NOW, windows).word).toBe(texts.states[state]);
    expect(stateOf({ ...key, revokedAt: PAST }, NOW, windows).word).toBe(texts.states.revoked);
  });
});
