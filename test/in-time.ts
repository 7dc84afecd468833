/**
 * Runs a test (for example, of a rate limit window) that is valid only if it takes at most `limitMs`. If `body` fails
 * after more than `limitMs`, the machine was too slow, and `body` runs again.
 */
export const inTime = async <Result>(limitMs: number, body: () => Promise<Result>, tries = 100): Promise<Result> => {
  const startedAt = performance.now();
  try {
    return await body();
  } catch (error) {
    if (performance.now() - startedAt < limitMs || tries <= 1) throw error;
    return inTime(limitMs, body, tries - 1);
  }
};
