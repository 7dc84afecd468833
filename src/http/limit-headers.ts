import type { Verdict } from '../limits/window.ts';

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** The window that the three `X-RateLimit` headers describe: what refused, else the one with the fewest left. */
const described = ({ windows, refused }: Verdict): { limit: number; remaining: number; resetAt: number } => {
  const [minute] = windows;
  if (!minute) throw new Error('a subject has at least one window');
  if (refused?.by === 'ban') return { limit: minute.limit, remaining: 0, resetAt: refused.until };
  if (refused) return windows.find((window) => window.name === refused.by) ?? minute;
  let fewest = minute;
  for (const window of windows) if (window.remaining < fewest.remaining) fewest = window;
  return fewest;
};

/** Adds the interface's own headers, and beside them both windows in the form of the IETF draft. */
export const addLimits = (headers: Record<string, string>, verdict: Verdict, now: number): void => {
  const { limit, remaining, resetAt } = described(verdict);
  let policy = '';
  let standing = '';
  for (const window of verdict.windows) {
    const comma = policy === '' ? '' : ', ';
    policy += `${comma}"${window.name}";q=${window.limit};w=${seconds(window.lengthMs)}`;
    standing += `${comma}"${window.name}";r=${window.remaining};t=${Math.max(0, seconds(window.resetAt - now))}`;
  }
  headers['X-RateLimit-Limit'] = String(limit);
  headers['X-RateLimit-Remaining'] = String(remaining);
  headers['X-RateLimit-Reset'] = String(seconds(resetAt));
  headers['RateLimit-Policy'] = policy;
  headers.RateLimit = standing;
};

export const retryAfterSeconds = (until: number, now: number): number => Math.max(1, seconds(until - now));
