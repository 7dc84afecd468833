/** Consecutive failures after which an endpoint is paused. From then on, it gets one attempt at a time. */
const FAILURES_TO_PAUSE = 5;
const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** An endpoint that has not been used for this long, in ms, is forgotten, along with its failures. */
const REMEMBERED_MS = 10 * 60_000;

export type EndpointState = {
  /** Deliveries with a running attempt. */
  sending: Set<string>;
  /** Pets with a running first attempt. */
  pets: Set<bigint>;
  failuresInRow: number;
  pausesInRow: number;
  pausedUntil: number;
  usedAt: number;
  /** Process-wide number of the endpoint's latest attempt. The endpoint with the lowest number has waited longest. */
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

/** If the remaining pause exceeds the maximum, the clock was set back, and the pause is ignored. */
export const isPaused = ({ pausedUntil }: EndpointState, now: number): boolean =>
  now < pausedUntil && pausedUntil <= now + LONGEST_PAUSE_MS;

export const isUnused = ({ sending, usedAt }: EndpointState, now: number): boolean =>
  sending.size === 0 && now - usedAt > REMEMBERED_MS;

/** Updates the state after an attempt. Pauses a failing endpoint, doubling the pause each time. */
export const noteResult = (state: EndpointState, isDelivered: boolean, now: number): void => {
  state.usedAt = now;
  if (isDelivered) Object.assign(state, { failuresInRow: 0, pausesInRow: 0, pausedUntil: 0 });
  else state.failuresInRow += 1;
  // Attempts that were running when the pause began do not extend it.
  if (!isFailing(state) || isPaused(state, now)) return;
  state.pausedUntil = now + Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** state.pausesInRow);
  state.pausesInRow += 1;
};
