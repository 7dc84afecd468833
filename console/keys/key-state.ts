import type { Int64, Key } from '../../client/src/index.ts';
import type { Tone } from '../kit/badge.tsx';

type State = { word: string; tone: Tone; shape: string };

export const stateOf = ({ revokedAt, expiresAt, bannedUntil }: Key<Int64>, now: number): State => {
  if (revokedAt !== null) return { word: 'revoked', tone: 'plain', shape: '✕' };
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return { word: 'expired', tone: 'plain', shape: '◌' };
  if (bannedUntil !== null && Date.parse(bannedUntil) > now) return { word: 'banned', tone: 'bad', shape: '■' };
  return { word: 'live', tone: 'good', shape: '●' };
};
