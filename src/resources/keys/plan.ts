export const PLANS = {
  free: { perMinute: 60, perDay: 1_000, pets: 10_000 },
  pro: { perMinute: 300, perDay: 10_000, pets: 100_000 },
  business: { perMinute: 1_000, perDay: 100_000, pets: 1_000_000 },
  enterprise: 'custom',
} as const;

export type Plan = keyof typeof PLANS;

export type Limits = { perMinute: number; perDay: number; pets: number | null };

export const STREAMS: Record<Plan, number> = { free: 2, pro: 10, business: 50, enterprise: 500 };

/**
 * Maximum number of webhooks in a store, by the plan of the key that adds a webhook. There is a limit, because every
 * event adds one row for each webhook.
 */
export const WEBHOOKS: Record<Plan, number> = { free: 5, pro: 20, business: 100, enterprise: 100 };
