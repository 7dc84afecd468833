import type { Caller } from '../kernel/operation.ts';

export type WindowName = 'minute' | 'day';

/** Requests per window. A window opens with the first request counted in it and has a fixed length. */
export type WindowRule = { name: WindowName; limit: number; lengthMs: number };

export type BanRule = {
  /** Refusals within `countedMs` that lead to a ban. */
  refusals: number;
  countedMs: number;
  firstMs: number;
  longestMs: number;
  /** A ban that begins within this time after the last one ended is twice as long. */
  rememberedMs: number;
};

/** Whose requests are counted together, and by which rules. */
export type Subject = {
  id: string;
  windows: readonly WindowRule[];
  ban?: BanRule;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const WINDOW_MS: Record<WindowName, number> = { minute: MINUTE_MS, day: DAY_MS };

/** Length of the window in which refusals of a key are counted. */
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

/** What a key may always ask about itself, also when its windows are used up. */
export const selfSubject = ({ keyId }: Pick<Caller, 'keyId'>): Subject => perMinute(`self:${keyId}`, 60);

/** Callers without a valid key, by network. */
export const strangerSubject = (network: string): Subject => perMinute(`address:${network}`, 600);

/** Pages outside `/v1`, by key, or by address without a valid key. */
export const pageSubject = (reader: string): Subject => perMinute(`pages:${reader}`, 600);

/** Requests outside `/v1` that no page answers: missing paths, wrong methods, missing or invalid keys. */
export const missingPageSubject = (reader: string): Subject => perMinute(`missing:${reader}`, 600);
