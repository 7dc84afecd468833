import { Failure } from '../kernel/failure.ts';
import type { MaybePromise } from '../kernel/runtime.ts';
import { formatCount } from '../kernel/schema.ts';
import type { Subject, Verdict } from './window.ts';

export type Limiter = {
  take(subject: Subject, cost?: number): MaybePromise<Verdict>;
  /** Returns the current windows. The verdict never contains a refusal. */
  peek(subject: Subject): Promise<Verdict>;
};

/** If another instance bans a key, this instance applies the ban within a second. */
export type Bans = { bannedUntil(subjectId: string): number | undefined; readBan(subjectId: string): Promise<void> };

const OVER_LIMIT = { minute: 'rate_limit_exceeded', day: 'daily_quota_exceeded', ban: 'api_key_banned' } as const;

const reasonOf = ({ refused, windows }: Verdict): string => {
  const window = windows.find(({ name }) => name === refused?.by);
  if (!window) return 'The API key is banned because it kept sending requests after its limit was reached.';
  const { name, limit, remaining } = window;
  return remaining > 0
    ? `This request costs more than the ${formatCount(remaining)} ${remaining === 1 ? 'request' : 'requests'} remaining for the current ${name}.`
    : `You have reached the limit of ${formatCount(limit)} requests per ${name}.`;
};

export const refuseOverLimit = (verdict: Verdict, now: number): void => {
  const { refused } = verdict;
  if (!refused) return;
  const seconds = Math.max(1, Math.ceil((refused.until - now) / 1000));
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  throw new Failure(OVER_LIMIT[refused.by], `${reasonOf(verdict)} Try again in ${wait}.`, {
    retryAfterSeconds: seconds,
  });
};
