import type { Caller } from '../kernel/operation.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../kernel/runtime.ts';

type Count = { used: number; until: number };

/** A ban is remembered until `forgottenAt`, even after it has ended, because it makes the next ban longer. */
export type Ban = { bannedAt: number; until: number; forgottenAt: number };

export const isLifted = ({ bannedAt, until }: Ban): boolean => until <= bannedAt;

export const supersedes = (ban: Ban, known: Ban | undefined): boolean =>
  !known || known.bannedAt < ban.bannedAt || (known.bannedAt === ban.bannedAt && ban.until < known.until);

export type Tally = { windows: Partial<Record<WindowName, Count>>; refusals?: Count; ban?: Ban };

export type WindowView = WindowRule & { used: number; remaining: number; resetAt: number };

export type Verdict = {
  refused?: { by: WindowName | 'ban'; until: number };
  windows: readonly WindowView[];
  /** Milliseconds since the key's last write on any instance. Undefined unless Redis counted this request. */
  sinceWriteMs?: number;
};

/** If the stored end is more than `lengthMs` away, the clock was set back, so the window ends `lengthMs` from now. */
const view = ({ name, limit, lengthMs }: WindowRule, count: Count | undefined, now: number): WindowView => {
  const isOpen = count !== undefined && now < count.until;
  const used = isOpen ? count.used : 0;
  const end = now + lengthMs;
  const resetAt = isOpen ? Math.min(count.until, end) : end;
  return { name, limit, lengthMs, used, remaining: Math.max(0, limit - used), resetAt };
};

/** If a ban seems to begin in the future, the clock was set back. In that case, the ban is shifted to begin now. */
const begun = (ban: Ban, now: number): Ban => {
  const earlierMs = ban.bannedAt - now;
  if (earlierMs <= 0) return ban;
  return { bannedAt: now, until: ban.until - earlierMs, forgottenAt: ban.forgottenAt - earlierMs };
};

export const banOf = (tally: Tally, now: number): Ban | undefined => {
  const ban = tally.ban && begun(tally.ban, now);
  return ban && now < ban.until ? ban : undefined;
};

export const peek = (subject: Subject, tally: Tally, now: number): Verdict => ({
  windows: subject.windows.map((rule) => view(rule, tally.windows[rule.name], now)),
});

const banLength = (rule: BanRule, last: Ban | undefined, now: number): number => {
  if (!last || now >= last.forgottenAt) return rule.firstMs;
  return Math.max(rule.firstMs, Math.min(rule.longestMs, 2 * (last.until - last.bannedAt)));
};

const countRefusal = (tally: Tally, rule: BanRule, now: number): Ban | undefined => {
  const end = now + rule.countedMs;
  const counted = tally.refusals && now < tally.refusals.until ? tally.refusals : { used: 0, until: end };
  tally.refusals = { used: counted.used + 1, until: Math.min(counted.until, end) };
  if (tally.refusals.used < rule.refusals) return undefined;
  delete tally.refusals;
  const until = now + banLength(rule, tally.ban, now);
  tally.ban = { bannedAt: now, until, forgottenAt: until + rule.rememberedMs };
  return tally.ban;
};

export const take = (subject: Subject, tally: Tally, now: number, cost = 1): { verdict: Verdict; began?: Ban } => {
  const windows: WindowView[] = [];
  for (const rule of subject.windows) {
    const count = tally.windows[rule.name];
    const window = view(rule, count, now);
    if (count && count.until > window.resetAt) count.until = window.resetAt;
    windows.push(window);
  }
  if (tally.ban) tally.ban = begun(tally.ban, now);
  const ban = tally.ban && banOf(tally, now);
  if (ban) return { verdict: { refused: { by: 'ban', until: ban.until }, windows } };

  // Reports the longest exhausted window. A caller that waited only for a shorter window to end would be refused again.
  let spent: WindowView | undefined;
  for (const window of windows) if (window.remaining < cost) spent = window;
  if (spent) {
    const began = subject.ban && countRefusal(tally, subject.ban, now);
    if (began) return { verdict: { refused: { by: 'ban', until: began.until }, windows }, began };
    return { verdict: { refused: { by: spent.name, until: spent.resetAt }, windows } };
  }

  for (const window of windows) {
    window.used += cost;
    window.remaining -= cost;
    const count = tally.windows[window.name];
    // Changes the count in place, because creating an object for each request would slow down garbage collection.
    if (count && now < count.until) count.used = window.used;
    else tally.windows[window.name] = { used: window.used, until: window.resetAt };
  }
  return { verdict: { windows } };
};

export const isForgettable = (tally: Tally, now: number): boolean =>
  ![...Object.values(tally.windows), tally.refusals].some((count) => count && now < count.until) &&
  !(tally.ban && now < tally.ban.forgottenAt);

export type WindowName = 'minute' | 'day';

type WindowRule = { name: WindowName; limit: number; lengthMs: number };

type BanRule = {
  refusals: number;
  countedMs: number;
  firstMs: number;
  longestMs: number;
  /** A ban that begins within this many milliseconds of the end of the previous ban lasts twice as long as that ban. */
  rememberedMs: number;
};

export type Subject = {
  id: string;
  windows: readonly WindowRule[];
  ban?: BanRule;
  /** If true, Redis stores the time of the request, so that later reads do not use a standby that lacks the write. */
  mayWrite?: boolean | undefined;
};

const WINDOW_MS: Record<WindowName, number> = { minute: MINUTE_MS, day: DAY_MS };

const REFUSALS_MS = MINUTE_MS;

export const keySubject = ({ keyId, limits }: Pick<Caller, 'keyId' | 'limits'>, mayWrite?: boolean): Subject => ({
  id: keyId,
  mayWrite: mayWrite || undefined,
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

/** Requests about the key itself count against a separate limit, so they work even if all others are used up. */
export const selfSubject = ({ keyId }: Pick<Caller, 'keyId'>): Subject => perMinute(`self:${keyId}`, 60);

export const strangerSubject = (network: string): Subject => perMinute(`address:${network}`, 600);

export const pageSubject = (reader: string): Subject => perMinute(`pages:${reader}`, 600);

export const missingPageSubject = (reader: string): Subject => perMinute(`missing:${reader}`, 600);

export const lastBeginning = (tallies: ReadonlyMap<string, Tally>): number => {
  let last = Number.NEGATIVE_INFINITY;
  for (const { windows, refusals, ban } of tallies.values()) {
    if (windows.minute) last = Math.max(last, windows.minute.until - WINDOW_MS.minute);
    if (windows.day) last = Math.max(last, windows.day.until - WINDOW_MS.day);
    if (refusals) last = Math.max(last, refusals.until - REFUSALS_MS);
    if (ban) last = Math.max(last, ban.bannedAt);
  }
  return last;
};

/**
 * Follows the system clock, but never goes back. If the system clock is set back, this clock advances with the
 * stopwatch until the system clock has caught up.
 */
export const createMonotonicClock = (clock: Clock, stopwatch: () => number) => {
  let last = Number.NEGATIVE_INFINITY;
  let mark: number | undefined;

  const monotonic = {
    isAhead: false,

    now(): number {
      const shown = clock();
      monotonic.isAhead = shown < last;
      if (!monotonic.isAhead) {
        last = shown;
        mark = undefined;
        return shown;
      }
      const read = stopwatch();
      last += read - (mark ?? read);
      mark = read;
      return Math.floor(last);
    },

    // The system clock may advance between the two readings, and the difference would then be negative.
    aheadMs: (): number => Math.max(0, monotonic.now() - clock()),

    advanceTo(instant: number): void {
      if (!(instant > monotonic.now())) return;
      last = instant;
      monotonic.now();
    },
  };
  return monotonic;
};
