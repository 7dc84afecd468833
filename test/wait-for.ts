/** How long a machine that has time is waited for. */
const PATIENCE_MS = 90_000;
/** A starved machine gets to fewer looks in that time, and is waited for until it had so many. */
const FAIR_LOOKS = 1_000;
/** Sooner than the test itself is cut off, without a word. */
const LONGEST_MS = 40 * 60_000;
/** What comes soon is seen soon; who waits long looks seldom, and leaves the processor to what is waited for. */
const pauseMs = (waitedMs: number): number => Math.min(50, Math.max(5, waitedMs / 20));

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
  const startedAt = performance.now();
  for (let looks = 1; ; looks += 1) {
    const seen = await look();
    if (holds(seen)) return seen as NonNullable<Seen>;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > (looks < FAIR_LOOKS ? LONGEST_MS : PATIENCE_MS)) {
      throw new Error(`waited ${Math.round(waitedMs / 1000)} s for this: ${what}; seen last: ${Bun.inspect(seen)}`);
    }
    await Bun.sleep(pauseMs(waitedMs));
  }
};
