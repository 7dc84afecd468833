import { Failure } from '../kernel/failure.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Standing, Subject, Verdict } from './window.ts';

/** Counts requests exactly: concurrent requests are admitted only up to the limits of the windows. */
export type Limiter = {
  /** Counts a request. A request with a cost above one takes its whole cost or nothing. */
  take(subject: Subject, cost?: number): MaybePromise<Verdict>;
  /** Returns the windows and the ban without counting a request. */
  peek(subject: Subject): Promise<Standing>;
};

/** The bans of all subjects. Bans from other instances arrive within a second. */
export type Bans = {
  /** When the subject's current ban ends, if it has one. */
  bannedUntil(subjectId: string): number | undefined;
  /** Reloads a subject's last ban from the database, where it may be new or lifted. */
  readBan(subjectId: string): Promise<void>;
};

const OVER_LIMIT = {
  minute: { code: 'rate_limit_exceeded', reason: 'The limit of requests per minute is reached.' },
  day: { code: 'daily_quota_exceeded', reason: 'The limit of requests per day is reached.' },
  ban: {
    code: 'api_key_banned',
    reason: 'The API key is banned because it kept sending requests after its limit was reached.',
  },
} as const;

/** Throws the refusal if the limiter did not admit the request. */
export const refuseOverLimit = ({ refused, windows }: Verdict, now: number): void => {
  if (!refused) return;
  const { code, reason: spent } = OVER_LIMIT[refused.by];
  const left = windows.find(({ name }) => name === refused.by)?.remaining ?? 0;
  const reason =
    left > 0 ? `The request counts as more requests than the ${left} remaining this ${refused.by}.` : spent;
  const seconds = Math.max(1, Math.ceil((refused.until - now) / 1000));
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  throw new Failure(code, `${reason} Try again in ${wait}.`, { retryAfterSeconds: seconds });
};
