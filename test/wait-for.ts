const PATIENCE_MS = 90_000;
/**
 * A wait may time out after `PATIENCE_MS` only if it has made at least this many checks, because an overloaded machine
 * checks less often.
 */
const MIN_LOOKS = 1_000;
/**
 * Longest wait, in ms. It is shorter than a test's timeout, because when a test times out, the error does not say what
 * the test was waiting for.
 */
const LONGEST_MS = 40 * 60_000;
const pauseMs = (waitedMs: number): number => Math.min(50, Math.max(5, waitedMs / 20));

const hasValue = (seen: unknown): boolean => seen !== undefined && seen !== null && seen !== false;

/**
 * Waits until `holds` returns true for the value from `look`. Without `holds`, waits until `look` returns a value.
 * Tests must not wait for another process or a later event in any other way.
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
