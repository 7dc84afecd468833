/** How long to wait for a condition on an idle machine, in ms. */
const PATIENCE_MS = 90_000;
/** Minimum number of polls. An overloaded machine polls less often, so the wait lasts for at least this many polls. */
const MIN_LOOKS = 1_000;
/** Maximum wait in ms. It is shorter than the timeout of a test, which fails without a message. */
const LONGEST_MS = 40 * 60_000;
/** Polls often at first. Later polls are rare, to leave the processor to the work that the test waits for. */
const pauseMs = (waitedMs: number): number => Math.min(50, Math.max(5, waitedMs / 20));

const hasValue = (seen: unknown): boolean => seen !== undefined && seen !== null && seen !== false;

/**
 * Polls until the condition holds, and returns the value. Without a condition, polls until there is a value. This is
 * the only way in which tests wait for other processes and later events.
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
