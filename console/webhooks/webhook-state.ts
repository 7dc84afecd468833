import type { Delivery, Webhook } from '../../client/src/index.ts';
import type { Tone } from '../kit/badge.tsx';

type Shown = { word: string; tone: Tone; shape: string };

const REASONS: Record<NonNullable<Webhook['disabledReason']>, string> = {
  gone: 'the endpoint answered 410',
  failing: 'nothing reached it for five days',
  key_ended: 'its key was revoked or has expired',
  switched_off: 'somebody switched it off',
};

/** Why the webhook is disabled. */
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
