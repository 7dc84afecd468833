import type { Caller } from '../kernel/operation.ts';

export type WindowName = 'minute' | 'day';

/** Requests per window. A window has a fixed length and opens with the first request it counts. */
export type WindowRule = { name: WindowName; limit: number; lengthMs: number };

export type BanRule = {
  /** Refusals within `countedMs` that cause a ban. */
  refusals: number;
  countedMs: number;
  firstMs: number;
  longestMs: number;
  /** A ban that begins within this time after the previous one ended is twice as long. */
  rememberedMs: number;
};

/** A group of requests counted together, with its limits. */
export type Subject = {
  id: string;
  windows: readonly WindowRule[];
  ban?: BanRule;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const WINDOW_MS: Record<WindowName, number> = { minute: MINUTE_MS, day: DAY_MS };

/** Length of the window that counts refusals of a key. */
export const REFUSALS_MS = MINUTE_MS;

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

const perMinute = (id: string, limit: number): Subject => ({
  id,
  windows: [{ name: 'minute', limit, lengthMs: MINUTE_MS }],
});

/** Requests of a key about itself, which are allowed even if its windows are used up. */
export const selfSubject = ({ keyId }: Pick<Caller, 'keyId'>): Subject => perMinute(`self:${keyId}`, 60);

/** Callers without a valid key, by network. */
export const strangerSubject = (network: string): Subject => perMinute(`address:${network}`, 600);

/** Pages outside `/v1`, by key, or by address if there is no valid key. */
export const pageSubject = (reader: string): Subject => perMinute(`pages:${reader}`, 600);

/** Requests outside `/v1` that match no page: missing paths, wrong methods, missing or invalid keys. */
export const missingPageSubject = (reader: string): Subject => perMinute(`missing:${reader}`, 600);
