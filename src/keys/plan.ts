/** Requests per minute and per day of each plan. On `enterprise` both are set on the key. */
export const PLANS = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
  enterprise: 'custom',
} as const;

export type Plan = keyof typeof PLANS;

export type Limits = { perMinute: number; perDay: number };

/** How many event streams a key of each plan may have open. */
export const STREAMS: Record<Plan, number> = { free: 2, pro: 10, business: 50, enterprise: 500 };
