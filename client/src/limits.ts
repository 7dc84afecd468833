/** Each window lasts `lengthMs` and allows at most `limit` requests. `resetMs` is the time until the next window. */
export interface LimitWindow {
  limit: number;
  remaining: number;
  lengthMs: number;
  resetMs: number;
}

/**
 * The key's rate limits at the time of a response. The first three fields describe the limit with the fewest requests
 * left.
 */
export interface RateLimits {
  limit: number;
  remaining: number;
  resetAt: Date;
  /** The limits per minute and per day, named `minute` and `day`. */
  windows: Record<string, LimitWindow>;
}

/**
 * True if these limits apply to a key's ordinary requests. Only ordinary requests have a daily limit. Requests about
 * the key itself, and requests without a valid key, have separate limits, and all of those limits are per minute.
 */
export const isOfKey = ({ windows }: RateLimits): boolean => windows.day !== undefined;

const number = (headers: Headers, name: string): number => Number(headers.get(name) ?? Number.NaN);

/** Parses lists such as `"minute";q=60;w=60, "day";q=1000;w=86400` (RFC 9651). */
const members = (text: string | null): [name: string, parameters: Record<string, number>][] =>
  [...(text ?? '').matchAll(/"(\w+)"((?:;\w+=\d+)*)/g)].map(([, name = '', parameters = '']) => [
    name,
    Object.fromEntries([...parameters.matchAll(/(\w+)=(\d+)/g)].map(([, key, value]) => [key, Number(value)])),
  ]);

export const readLimits = (headers: Headers): RateLimits | undefined => {
  const limit = number(headers, 'x-ratelimit-limit');
  const remaining = number(headers, 'x-ratelimit-remaining');
  const resetAt = new Date(number(headers, 'x-ratelimit-reset') * 1000);
  if ([limit, remaining, resetAt.getTime()].some(Number.isNaN)) return undefined;
  const left = new Map(members(headers.get('ratelimit')));
  const windows = members(headers.get('ratelimit-policy')).map(([name, { q = 0, w = 0 }]): [string, LimitWindow] => {
    const { r = 0, t = 0 } = left.get(name) ?? {};
    return [name, { limit: q, remaining: r, lengthMs: w * 1000, resetMs: t * 1000 }];
  });
  return {
    limit,
    remaining,
    resetAt,
    windows: Object.fromEntries(windows),
  };
};
