/** Consecutive failures that pause an endpoint. After the pause, it gets one attempt at a time until one succeeds. */
const FAILURES_TO_PAUSE = 5;
const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const REMEMBERED_MS = 10 * 60_000;

export type EndpointState = {
  sending: Set<string>;
  pets: Set<bigint>;
  failuresInRow: number;
  pausesInRow: number;
  pausedUntil: number;
  usedAt: number;
  /** Number of the last attempt, counted per process. The endpoint with the lowest number has waited longest. */
  lastStart: number;
};

export const newState = (now: number): EndpointState => ({
  sending: new Set(),
  pets: new Set(),
  failuresInRow: 0,
  pausesInRow: 0,
  pausedUntil: 0,
  usedAt: now,
  lastStart: 0,
});

export const isFailing = ({ failuresInRow }: EndpointState): boolean => failuresInRow >= FAILURES_TO_PAUSE;

/** A pause that is longer than `LONGEST_PAUSE_MS` is ignored: the clock was set back after it began. */
export const isPaused = ({ pausedUntil }: EndpointState, now: number): boolean =>
  now < pausedUntil && pausedUntil <= now + LONGEST_PAUSE_MS;

export const isUnused = ({ sending, usedAt }: EndpointState, now: number): boolean =>
  sending.size === 0 && now - usedAt > REMEMBERED_MS;

export const noteResult = (state: EndpointState, isDelivered: boolean, now: number): void => {
  state.usedAt = now;
  if (isDelivered) Object.assign(state, { failuresInRow: 0, pausesInRow: 0, pausedUntil: 0 });
  else state.failuresInRow += 1;
  // If the endpoint was paused while this attempt was running, its failure does not extend the pause.
  if (!isFailing(state) || isPaused(state, now)) return;
  state.pausedUntil = now + Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** state.pausesInRow);
  state.pausesInRow += 1;
};
