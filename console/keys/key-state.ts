import type { Key } from '../../client/src/index.ts';
import type { Shape, Tone } from '../kit/badge.tsx';
import { texts } from './texts.ts';

type State = { word: string; tone: Tone; shape: Shape };

export const stateOf = ({ revokedAt, expiresAt, bannedUntil }: Key, now: number): State => {
  if (revokedAt !== null) return { word: texts.states.revoked, tone: 'plain', shape: 'cross' };
  if (expiresAt !== null && Date.parse(expiresAt) <= now)
    return { word: texts.states.expired, tone: 'plain', shape: 'dashed' };
  if (bannedUntil !== null && Date.parse(bannedUntil) > now)
    return { word: texts.states.banned, tone: 'bad', shape: 'ban' };
  return { word: texts.states.active, tone: 'good', shape: 'check' };
};
