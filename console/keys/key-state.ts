import type { Int64, Key } from '../../client/src/index.ts';
import type { Tone } from '../kit/badge.tsx';

/** What the admin key alone is: nobody can give it another name or other limits. */
export const ADMIN = { name: 'admin', limits: { perMinute: 100_000_000, perDay: 10_000_000_000 } };

/** Whether it is set where the service is started, and refuses every change. */
export const isAdmin = ({ name, limits }: Pick<Key<Int64>, 'name' | 'limits'>): boolean =>
  name === ADMIN.name && limits.perMinute === ADMIN.limits.perMinute && limits.perDay === ADMIN.limits.perDay;

type State = { word: string; tone: Tone; shape: string };

/** What a key is worth at an instant. */
export const stateOf = ({ revokedAt, expiresAt, bannedUntil }: Key<Int64>, now: number): State => {
  if (revokedAt !== null) return { word: 'revoked', tone: 'plain', shape: '✕' };
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return { word: 'expired', tone: 'plain', shape: '◌' };
  if (bannedUntil !== null && Date.parse(bannedUntil) > now) return { word: 'banned', tone: 'bad', shape: '■' };
  return { word: 'live', tone: 'good', shape: '●' };
};
