import type { Delivery } from '../../client/src/index.ts';
import { capitalized } from '../kit/text.ts';
import { texts } from './texts.ts';

export const outcomeOf = ({ state, attempt }: Delivery): keyof typeof texts.health.outcomes => {
  if (state === 'delivered') return 'arrived';
  if (state === 'failed') return 'lost';
  return attempt === 0 ? 'waiting' : 'again';
};

type Failure = { words: string; code?: string };

/** If there was no response, the service stores the reason as `responseBody`, such as "not reached: ECONNREFUSED". */
export const failureOf = ({ state, responseStatus, responseBody }: Delivery): Failure | undefined => {
  if (state === 'delivered' || responseStatus !== null || !responseBody) return undefined;
  const why = responseBody.replace(/^not reached: /, '');
  if (!/^[A-Z][A-Z_]+$/.test(why)) return { words: capitalized(why) };
  return { words: texts.failures[why] ?? texts.otherFailure, code: why };
};

/** A single failed retry of an old event does not mean that the endpoint is failing. */
const FAILED_ATTEMPTS = 3;

/** True if none of the latest attempts succeeded. These may be retries of older deliveries. */
export const isFailing = (latest: readonly Delivery[]): boolean => {
  const attempts = latest
    .filter(({ attempt }) => attempt > 0)
    .sort((one, other) => ((one.attemptedAt ?? '') < (other.attemptedAt ?? '') ? 1 : -1))
    .slice(0, FAILED_ATTEMPTS);
  return attempts.length > 0 && attempts.every(({ state }) => state !== 'delivered');
};

export const briefWords = (latest: readonly Delivery[]): string =>
  latest.length === 0
    ? texts.health.none
    : texts.health.delivered(latest.filter(({ state }) => state === 'delivered').length, latest.length);

export const healthWords = (latest: readonly Delivery[]): string => {
  if (latest.length === 0) return texts.health.none;
  const seen = Object.entries(texts.health.outcomes).flatMap(([outcome, words]) => {
    const count = latest.filter((delivery) => outcomeOf(delivery) === outcome).length;
    return count > 0 ? [`${count} ${words}`] : [];
  });
  return texts.health.last(latest.length, seen);
};
