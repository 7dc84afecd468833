import { Failure } from '../kernel/failure.ts';
import type { Verdict } from './window.ts';

const OVER_LIMIT = {
  minute: { code: 'rate_limit_exceeded', reason: 'The requests of this minute are used up.' },
  day: { code: 'daily_quota_exceeded', reason: 'The requests of this day are used up.' },
  ban: { code: 'api_key_banned', reason: 'The API key is banned for going on after its requests were used up.' },
} as const;

/** The refusal of what the limiter has not admitted. */
export const refuseOverLimit = ({ refused }: Verdict, now: number): void => {
  if (!refused) return;
  const { code, reason } = OVER_LIMIT[refused.by];
  const seconds = Math.max(1, Math.ceil((refused.until - now) / 1000));
  throw new Failure(code, `${reason} Try again in ${seconds} seconds.`, { retryAfterSeconds: seconds });
};
