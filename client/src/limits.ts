/** How one window of the key stands. */
export interface LimitWindow {
  /** Requests admitted per window. */
  limit: number;
  /** Requests left in it. */
  remaining: number;
  /** How long the window is. */
  lengthMs: number;
  /** How long until it opens anew. */
  resetMs: number;
}

/** How the key stands after an answer: of the window with the fewest requests left, and of each by its name. */
export interface RateLimits {
  limit: number;
  remaining: number;
  resetAt: Date;
  /** `minute` and `day`. */
  windows: Record<string, LimitWindow>;
}

/**
 * Whether it tells of the windows in which the requests of the key are counted. What a key asks about itself is counted in a minute of
 * its own, and whoever has no valid key in one of the address: neither has a day.
 */
export const isOfKey = ({ windows }: RateLimits): boolean => windows.day !== undefined;

const number = (headers: Headers, name: string): number => Number(headers.get(name) ?? Number.NaN);

/** The members of a structured list such as `"minute";q=60;w=60, "day";q=1000;w=86400` (RFC 9651). */
const members = (text: string | null): [name: string, parameters: Record<string, number>][] =>
  [...(text ?? '').matchAll(/"(\w+)"((?:;\w+=\d+)*)/g)].map(([, name = '', parameters = '']) => [
    name,
    Object.fromEntries([...parameters.matchAll(/(\w+)=(\d+)/g)].map(([, key, value]) => [key, Number(value)])),
  ]);

/** What the headers tell of the limits; undefined where something other than the service has answered. */
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
