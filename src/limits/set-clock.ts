import { REFUSALS_MS, WINDOW_MS, type WindowName } from './policy.ts';
import type { Standing, Tally, Verdict } from './window.ts';

/** The latest instant at which anything remembered has begun: no clock that shows less can be right. */
export const lastBeginning = (tallies: ReadonlyMap<string, Tally>): number => {
  let last = Number.NEGATIVE_INFINITY;
  const note = (instant: number): void => {
    if (instant > last) last = instant;
  };
  for (const { windows, refusals, ban } of tallies.values()) {
    for (const name of Object.keys(windows) as WindowName[]) {
      const count = windows[name];
      if (count) note(count.until - WINDOW_MS[name]);
    }
    if (refusals) note(refusals.until - REFUSALS_MS);
    if (ban) note(ban.bannedAt);
  }
  return last;
};

/** The same as told by a clock that is so much behind. */
export const byClockBehind = <Told extends Verdict | Standing>(told: Told, behindMs: number): Told => {
  if (behindMs === 0) return told;
  const windows = told.windows.map((window) => ({ ...window, resetAt: window.resetAt - behindMs }));
  if ('bannedUntil' in told && told.bannedUntil !== undefined) {
    return { ...told, windows, bannedUntil: told.bannedUntil - behindMs };
  }
  if ('refused' in told && told.refused !== undefined) {
    return { ...told, windows, refused: { ...told.refused, until: told.refused.until - behindMs } };
  }
  return { ...told, windows };
};
