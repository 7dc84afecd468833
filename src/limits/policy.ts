import type { Caller } from '../kernel/operation.ts';

export type WindowName = 'minute' | 'day';

/** So many requests per window. A window opens with the first request counted in it and has a fixed length. */
export type WindowRule = { name: WindowName; limit: number; lengthMs: number };

export type BanRule = {
  /** Refusals counted in a fixed window of their own; reaching `refusals` is the ban. */
  refusals: number;
  countedMs: number;
  firstMs: number;
  longestMs: number;
  /** A further ban so soon after the end of the last one is twice as long. */
  rememberedMs: number;
};

/** Whose requests are counted together, and what holds for them. */
export type Subject = {
  id: string;
  windows: readonly WindowRule[];
  ban?: BanRule;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long the windows of every subject are. */
export const WINDOW_MS: Record<WindowName, number> = { minute: MINUTE_MS, day: DAY_MS };

/** Refusals of every key are counted in windows of this length. */
export const REFUSALS_MS = MINUTE_MS;

/** Callers without a valid key, by address. */
const STRANGERS_PER_MINUTE = 600;

/** Pages outside `/v1`, by key, or by address without a valid key. */
const PAGES_PER_MINUTE = 600;

/** Requests outside `/v1` that no page answers: missing paths, wrong methods, missing or invalid keys. */
const MISSING_PAGES_PER_MINUTE = 600;

export const keySubject = ({ keyId, limits }: Pick<Caller, 'keyId' | 'limits'>): Subject => ({
  id: keyId,
  windows: [
    { name: 'minute', limit: limits.perMinute, lengthMs: WINDOW_MS.minute },
    { name: 'day', limit: limits.perDay, lengthMs: WINDOW_MS.day },
  ],
  ban: {
    refusals: limits.perMinute,
    countedMs: REFUSALS_MS,
    firstMs: 2 * MINUTE_MS,
    longestMs: DAY_MS,
    rememberedMs: DAY_MS,
  },
});

/** What a key may always ask about itself, whatever its windows say. */
const SELF_PER_MINUTE = 60;

export const selfSubject = ({ keyId }: Pick<Caller, 'keyId'>): Subject => ({
  id: `self:${keyId}`,
  windows: [{ name: 'minute', limit: SELF_PER_MINUTE, lengthMs: WINDOW_MS.minute }],
});

export const strangerSubject = (network: string): Subject => ({
  id: `address:${network}`,
  windows: [{ name: 'minute', limit: STRANGERS_PER_MINUTE, lengthMs: WINDOW_MS.minute }],
});

export const pageSubject = (reader: string): Subject => ({
  id: `pages:${reader}`,
  windows: [{ name: 'minute', limit: PAGES_PER_MINUTE, lengthMs: MINUTE_MS }],
});

export const missingPageSubject = (reader: string): Subject => ({
  id: `missing:${reader}`,
  windows: [{ name: 'minute', limit: MISSING_PAGES_PER_MINUTE, lengthMs: MINUTE_MS }],
});
