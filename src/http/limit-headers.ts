import { rememberLast } from '../kernel/memo.ts';
import type { Verdict, WindowView } from '../limits/window.ts';

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

const isSame = (a: readonly WindowView[], b: readonly WindowView[]): boolean =>
  a.length === b.length &&
  a.every(
    ({ name, limit, lengthMs }, at) => name === b[at]?.name && limit === b[at]?.limit && lengthMs === b[at]?.lengthMs,
  );

/** The sizes and lengths of the windows, which nearly all answers share. */
const policyOf = rememberLast(
  (windows: readonly WindowView[]) =>
    windows.map(({ name, limit, lengthMs }) => `"${name}";q=${limit};w=${seconds(lengthMs)}`).join(', '),
  isSame,
);

/** Adds the interface's own headers, and beside them both windows in the form of the IETF draft. */
export const addLimits = (headers: Record<string, string>, verdict: Verdict, now: number): void => {
  const { limit, remaining, resetAt } = described(verdict);
  let standing = '';
  for (const window of verdict.windows) {
    const comma = standing === '' ? '' : ', ';
    standing += `${comma}"${window.name}";r=${window.remaining};t=${Math.max(0, seconds(window.resetAt - now))}`;
  }
  headers['X-RateLimit-Limit'] = String(limit);
  headers['X-RateLimit-Remaining'] = String(remaining);
  headers['X-RateLimit-Reset'] = String(seconds(resetAt));
  headers['RateLimit-Policy'] = policyOf(verdict.windows);
  headers.RateLimit = standing;
};
