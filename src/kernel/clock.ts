/** The present instant in milliseconds since 1970, UTC. */
export type Clock = () => number;

/** A lease that ends this much later than one taken now was taken before the clock was set back: it is over. */
export const LEASE_SET_AHEAD_MS = 60_000;

export const systemClock: Clock = Date.now;

/** `20261116T030405Z`: for the name of a file, and names sort as the instants do. */
export const spellInstant = (now: number): string => new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
