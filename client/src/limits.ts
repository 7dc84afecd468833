/** The state of one rate limit window. */
export interface LimitWindow {
  /** Requests allowed per window. */
  limit: number;
  /** Requests left in the window. */
  remaining: number;
  /** Length of the window. */
  lengthMs: number;
  /** Time until the window resets. */
  resetMs: number;
}

/** The key's rate limits after a response: the window with the fewest requests left, and all windows by name. */
export interface RateLimits {
  limit: number;
  remaining: number;
  resetAt: Date;
  /** `minute` and `day`. */
  windows: Record<string, LimitWindow>;
}

/**
 * Whether the limits count the key's own requests. A key's requests about itself have a separate per-minute window.
 * Requests without a valid key count per address. Neither has a `day` window.
 */
export const isOfKey = ({ windows }: RateLimits): boolean => windows.day !== undefined;

const number = (headers: Headers, name: string): number => Number(headers.get(name) ?? Number.NaN);

/** Parses a structured list such as `"minute";q=60;w=60, "day";q=1000;w=86400` (RFC 9651). */
const members = (text: string | null): [name: string, parameters: Record<string, number>][] =>
  [...(text ?? '').matchAll(/"(\w+)"((?:;\w+=\d+)*)/g)].map(([, name = '', parameters = '']) => [
    name,
    Object.fromEntries([...parameters.matchAll(/(\w+)=(\d+)/g)].map(([, key, value]) => [key, Number(value)])),
  ]);

/** Reads the limits from the headers; undefined if the response is not from the service. */
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
