import type { Delivery } from '../../client/src/index.ts';
import { texts } from './texts.ts';

export const outcomeOf = ({ state, attempt }: Delivery): keyof typeof texts.health.outcomes => {
  if (state === 'delivered') return 'arrived';
  if (state === 'failed') return 'lost';
  return attempt === 0 ? 'waiting' : 'again';
};

export const healthWords = (latest: readonly Delivery[]): string => {
  if (latest.length === 0) return texts.health.none;
  const seen = Object.entries(texts.health.outcomes).flatMap(([outcome, words]) => {
    const count = latest.filter((delivery) => outcomeOf(delivery) === outcome).length;
    return count > 0 ? [`${count} ${words}`] : [];
  });
  return texts.health.last(latest.length, seen);
};
