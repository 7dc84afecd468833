/** The present instant in milliseconds since 1970, UTC. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;
