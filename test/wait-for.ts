/** Generous enough for a starved machine; whoever waits goes on as soon as the condition holds, so patience costs nothing. */
const PATIENCE_MS = 90_000;
const PAUSE_MS = 5;

const isThere = (seen: unknown): boolean => seen !== undefined && seen !== null && seen !== false;

/**
 * Looks again and again until the condition holds, and returns what was seen then. Without a condition: until there is
 * something to see. The one way in which a test waits for what another process or a later turn does.
 */
export const waitFor = async <Seen>(
  what: string,
  look: () => Seen | Promise<Seen>,
  holds: (seen: Seen) => boolean = isThere,
): Promise<NonNullable<Seen>> => {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen as NonNullable<Seen>;
    if (performance.now() > deadline) {
      throw new Error(`waited ${PATIENCE_MS / 1000} s for this: ${what}; seen last: ${Bun.inspect(seen)}`);
    }
    await Bun.sleep(PAUSE_MS);
  }
};
