import { Failure } from '../kernel/failure.ts';
import type { Verdict } from './window.ts';

/** Something is left, but less than the request costs. */
const NOT_ENOUGH = 'The request costs more requests than are left';

const OVER_LIMIT = {
  minute: { code: 'rate_limit_exceeded', reason: 'The requests of this minute are used up.' },
  day: { code: 'daily_quota_exceeded', reason: 'The requests of this day are used up.' },
  ban: { code: 'api_key_banned', reason: 'The API key is banned for going on after its requests were used up.' },
} as const;

/** The refusal of what the limiter has not admitted. */
export const refuseOverLimit = ({ refused, windows }: Verdict, now: number): void => {
  if (!refused) return;
  const { code, reason: spent } = OVER_LIMIT[refused.by];
  const left = windows.find(({ name }) => name === refused.by)?.remaining ?? 0;
  const reason = left > 0 ? `${NOT_ENOUGH} of this ${refused.by}, which are ${left}.` : spent;
  const seconds = Math.max(1, Math.ceil((refused.until - now) / 1000));
  throw new Failure(code, `${reason} Try again in ${seconds} seconds.`, { retryAfterSeconds: seconds });
};
