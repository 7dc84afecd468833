/** How long to wait on an idle machine. */
const PATIENCE_MS = 90_000;
/** A starved machine gets fewer looks in that time, so the wait lasts until it had this many. */
const MIN_LOOKS = 1_000;
/** Shorter than the test's own timeout, which has no message. */
const LONGEST_MS = 40 * 60_000;
/** Looks often at first. Later looks are rare, to leave the processor to the awaited work. */
const pauseMs = (waitedMs: number): number => Math.min(50, Math.max(5, waitedMs / 20));

const hasValue = (seen: unknown): boolean => seen !== undefined && seen !== null && seen !== false;

/**
 * Polls until the condition holds, and returns what it saw. Without a condition: until there is a value. Tests wait for
 * other processes and later events only in this way.
 */
export const waitFor = async <Seen>(
  what: string,
  look: () => Seen | Promise<Seen>,
  holds: (seen: Seen) => boolean = hasValue,
): Promise<NonNullable<Seen>> => {
  const startedAt = performance.now();
  for (let looks = 1; ; looks += 1) {
    const seen = await look();
    if (holds(seen)) return seen as NonNullable<Seen>;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > (looks < MIN_LOOKS ? LONGEST_MS : PATIENCE_MS)) {
      throw new Error(
        `timed out after ${Math.round(waitedMs / 1000)} s waiting for: ${what}; last seen: ${Bun.inspect(seen)}`,
      );
    }
    await Bun.sleep(pauseMs(waitedMs));
  }
};
