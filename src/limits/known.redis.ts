import type { Subject } from './policy.ts';
import type { Judged, Order, Owed, Told } from './script.redis.ts';
import { type Ban, look, type Standing, type Tally, take, type Verdict } from './window.ts';

/** What this instance knows of a subject, in the time of the Redis that counts it. */
export type Known = {
  tally: Tally;
  /** That time less the one of this process. Rather too much than too little, so that nothing is held to last too long. */
  aheadMs: number;
  /** Admitted here, and not counted in Redis yet. */
  owed: Owed;
  /** Refused here, and not counted in Redis yet. */
  unreported: number;
  /** When the ban began that is known to be in the database, and whether Redis has yet to hear that it is. */
  savedBan: number;
  owesBan: boolean;
};

export const newKnown = (aheadMs: number): Known => ({
  tally: { windows: {} },
  aheadMs,
  owed: {},
  unreported: 0,
  savedBan: 0,
  owesBan: false,
});

export const nowOf = ({ aheadMs }: Known): number => Math.floor(performance.now() + aheadMs);

const owesRequests = ({ owed: { minute = 0, day = 0 } }: Known): boolean => minute > 0 || day > 0;

export const isOwing = (known: Known): boolean => known.unreported > 0 || known.owesBan || owesRequests(known);

export const isBanned = ({ tally: { ban } }: Known, now: number): boolean =>
  ban !== undefined && ban.bannedAt <= now && now < ban.until;

export const hasUnsavedBan = ({ tally: { ban }, savedBan }: Known): boolean =>
  ban !== undefined && ban.bannedAt !== savedBan;

/** What the next call tells Redis beside the requests. */
export const debtsOf = (known: Known): Told | undefined => {
  if (known.owesBan && known.tally.ban)
    return { ban: known.tally.ban, windows: known.tally.windows, owed: { ...known.owed } };
  return owesRequests(known) ? { windows: known.tally.windows, owed: { ...known.owed } } : undefined;
};

/** A ban that is in the database, heard of from wherever. */
export const learnBan = (known: Known, ban: Ban): void => {
  if ((known.tally.ban?.bannedAt ?? 0) > ban.bannedAt) return;
  if (known.tally.ban?.bannedAt !== ban.bannedAt) {
    delete known.tally.refusals;
    known.unreported = 0;
  }
  known.tally.ban = ban;
  known.savedBan = ban.bannedAt;
};

/**
 * Whether Redis would refuse the next request for a reason that is known here, without it becoming a ban. It cannot
 * admit what it has no room for before the window ends: counts only grow.
 */
export const refusesHere = (known: Known, subject: Subject, now: number): boolean => {
  if (isBanned(known, now)) return !hasUnsavedBan(known);
  const { windows, refusals } = known.tally;
  const isSpent = subject.windows.some(({ name, limit, lengthMs }) => {
    const count = windows[name];
    return count !== undefined && count.used >= limit && now < count.until && count.until <= now + lengthMs;
  });
  if (!isSpent) return false;
  return !subject.ban || (refusals && now < refusals.until ? refusals.used : 0) + 1 < subject.ban.refusals;
};

/** Judges a request by what is known here, and notes what Redis has to be told of it. */
export const takeHere = (known: Known, subject: Subject, now: number): Verdict => {
  const { tally, owed } = known;
  const { verdict, began } = take(subject, tally, now);
  if (began) known.unreported = 0;
  else if (verdict.refused) known.unreported += verdict.refused.by !== 'ban' && subject.ban ? 1 : 0;
  else for (const { name, used } of verdict.windows) owed[name] = used === 1 ? 1 : (owed[name] ?? 0) + 1;
  return verdict;
};

/** The requests of a call that was given up are judged here; if Redis has counted them after all, they are not owed. */
export const forgive = (known: Known, { admitted, refused }: Judged): void => {
  for (const name of ['minute', 'day'] as const) known.owed[name] = Math.max(0, (known.owed[name] ?? 0) - admitted);
  known.unreported = Math.max(0, known.unreported - refused);
};

/** Takes over what Redis says, with what has been judged here since added to it. */
export const absorb = (known: Known, subject: Subject, { tally, now, isBanSaved }: Judged, order: Order): void => {
  const { ban } = known.tally;
  const { told, reported } = order;
  for (const { name, lengthMs } of subject.windows) {
    const left = Math.max(0, (known.owed[name] ?? 0) - (told?.owed?.[name] ?? 0));
    known.owed[name] = left;
    if (left === 0) continue;
    const count = tally.windows[name] ?? { used: 0, until: known.tally.windows[name]?.until ?? now + lengthMs };
    tally.windows[name] = { used: count.used + left, until: count.until };
  }
  known.unreported = Math.max(0, known.unreported - reported);
  if (known.unreported > 0 && subject.ban) {
    const count = tally.refusals ?? { used: 0, until: now + subject.ban.countedMs };
    tally.refusals = { used: count.used + known.unreported, until: count.until };
  }
  known.tally = tally;
  if (told?.ban && told.ban.bannedAt === known.savedBan) known.owesBan = false;
  if (ban && ban.bannedAt > (tally.ban?.bannedAt ?? 0)) tally.ban = ban;
  else if (tally.ban && isBanSaved) known.savedBan = tally.ban.bannedAt;
};

/** How the subject stands; a ban that is not saved is told to nobody. */
export const standingOf = (known: Known, subject: Subject, now: number): Standing => {
  const { windows, bannedUntil } = look(subject, known.tally, now);
  return bannedUntil === undefined || hasUnsavedBan(known) ? { windows } : { windows, bannedUntil };
};

/** The answers to so many requests that Redis judged together, in their order. */
export const verdictsOf = (subject: Subject, judged: Judged, requests: number): Verdict[] => {
  const { admitted, refused, tally, now } = judged;
  const { windows } = look(subject, tally, now);
  if (requests === 1 && admitted === 1) return [{ windows }];
  const spent = windows.findLast(({ remaining }) => remaining === 0);
  return Array.from({ length: requests }, (_, at): Verdict => {
    const after = Math.max(0, admitted - 1 - at);
    const shown = windows.map((window) => {
      const used = window.used - after;
      return { ...window, used, remaining: Math.max(0, window.limit - used) };
    });
    if (at < admitted) return { windows: shown };
    if (at < admitted + refused && spent) {
      return { refused: { by: spent.name, until: spent.resetAt }, windows: shown };
    }
    return { refused: { by: 'ban', until: tally.ban?.until ?? now }, windows: shown };
  });
};
