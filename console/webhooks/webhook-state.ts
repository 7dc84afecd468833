import type { Delivery, Webhook } from '../../client/src/index.ts';
import type { Shape, Tone } from '../kit/badge.tsx';
import { isFailing, outcomeOf } from './outcome.ts';
import { texts } from './texts.ts';

type Shown = { word: string; tone: Tone; shape: Shape };

export const reasonOf = ({ disabledReason }: Pick<Webhook, 'disabledReason'>): string =>
  disabledReason === null ? '' : texts.reasons[disabledReason];

type Switch = Pick<Webhook, 'enabled' | 'disabledReason'>;

const DELIVERIES: Record<Delivery['state'], Shown> = {
  delivered: { word: 'delivered', tone: 'good', shape: 'check' },
  pending: { word: 'pending', tone: 'warn', shape: 'clock' },
  failed: { word: 'failed', tone: 'bad', shape: 'cross' },
};

/** A pending delivery that has been tried has failed at least once. */
const RETRYING: Shown = { word: texts.health.outcomes.again, tone: 'warn', shape: 'cross' };

export const stateOf = ({ enabled, disabledReason }: Switch, latest: readonly Delivery[] = []): Shown => {
  if (!enabled) {
    return { word: texts.states.disabled, tone: disabledReason === 'switched_off' ? 'plain' : 'bad', shape: 'dashed' };
  }
  if (isFailing(latest)) return { word: texts.states.failing, tone: 'bad', shape: 'alert' };
  if (latest.some((delivery) => outcomeOf(delivery) === 'again')) return RETRYING;
  return { word: texts.states.enabled, tone: 'good', shape: 'check' };
};

export const deliveryState = ({ state, attempt }: Pick<Delivery, 'state' | 'attempt'>): Shown =>
  state === 'pending' && attempt > 0 ? RETRYING : DELIVERIES[state];
