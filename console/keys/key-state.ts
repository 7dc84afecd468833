import type { Key, Usage } from '../../client/src/index.ts';
import type { Shape, Tone } from '../kit/badge.tsx';
import { texts } from './texts.ts';

type State = { word: string; tone: Tone; shape: Shape };

const NEAR = 0.9;

type Windows = Pick<Usage, 'minute' | 'day'>;

const isNear = (windows: Windows | undefined): boolean =>
  windows !== undefined && [windows.minute, windows.day].some(({ used, limit }) => used >= NEAR * limit);

export const stateOf = ({ revokedAt, expiresAt, bannedUntil }: Key, now: number, windows?: Windows): State => {
  if (revokedAt !== null) return { word: texts.states.revoked, tone: 'plain', shape: 'cross' };
  if (expiresAt !== null && Date.parse(expiresAt) <= now)
    return { word: texts.states.expired, tone: 'plain', shape: 'dashed' };
  if (bannedUntil !== null && Date.parse(bannedUntil) > now)
    return { word: texts.states.banned, tone: 'bad', shape: 'ban' };
  if (isNear(windows)) return { word: texts.states.near, tone: 'warn', shape: 'warning' };
  return { word: texts.states.active, tone: 'good', shape: 'check' };
};
