import type { Delivery, Webhook } from '../../client/src/index.ts';
import type { Tone } from '../kit/badge.tsx';

type Shown = { word: string; tone: Tone; shape: string };

const REASONS: Record<NonNullable<Webhook['disabledReason']>, string> = {
  gone: 'the endpoint answered 410',
  failing: 'nothing reached it for five days',
  key_ended: 'its key was revoked or has expired',
  switched_off: 'somebody switched it off',
};

/** Why nothing is sent. */
export const reasonOf = ({ disabledReason }: Pick<Webhook, 'disabledReason'>): string =>
  disabledReason === null ? '' : REASONS[disabledReason];

export const stateOf = ({ enabled, disabledReason }: Pick<Webhook, 'enabled' | 'disabledReason'>): Shown => {
  if (enabled) return { word: 'on', tone: 'good', shape: '●' };
  return { word: 'off', tone: disabledReason === 'switched_off' ? 'plain' : 'bad', shape: '◌' };
};

const DELIVERIES: Record<Delivery['state'], Shown> = {
  delivered: { word: 'delivered', tone: 'good', shape: '●' },
  pending: { word: 'pending', tone: 'warn', shape: '◐' },
  failed: { word: 'failed', tone: 'bad', shape: '✕' },
};

export const deliveryState = ({ state }: Pick<Delivery, 'state'>): Shown => DELIVERIES[state];

/** What the latest attempt of a delivery came to. */
const OUTCOMES = {
  arrived: 'arrived',
  waiting: 'not attempted yet',
  again: 'to be tried again',
  lost: 'given up',
} as const;

export const outcomeOf = ({ state, attempt }: Delivery): keyof typeof OUTCOMES => {
  if (state === 'delivered') return 'arrived';
  if (state === 'failed') return 'lost';
  return attempt === 0 ? 'waiting' : 'again';
};

/** How it went lately, in words: "of the last 50: 47 arrived, 2 to be tried again, 1 given up". */
export const healthWords = (latest: readonly Delivery[]): string => {
  if (latest.length === 0) return 'nothing was sent yet';
  const told = Object.entries(OUTCOMES).flatMap(([outcome, words]) => {
    const count = latest.filter((delivery) => outcomeOf(delivery) === outcome).length;
    return count > 0 ? [`${count} ${words}`] : [];
  });
  return `of the last ${latest.length}: ${told.join(', ')}`;
};
