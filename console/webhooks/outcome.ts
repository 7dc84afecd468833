import type { Delivery } from '../../client/src/index.ts';

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

/** Summarizes recent deliveries: "of the last 50: 47 arrived, 2 to be tried again, 1 given up". */
export const healthWords = (latest: readonly Delivery[]): string => {
  if (latest.length === 0) return 'nothing was sent yet';
  const told = Object.entries(OUTCOMES).flatMap(([outcome, words]) => {
    const count = latest.filter((delivery) => outcomeOf(delivery) === outcome).length;
    return count > 0 ? [`${count} ${words}`] : [];
  });
  return `of the last ${latest.length}: ${told.join(', ')}`;
};
