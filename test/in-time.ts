/**
 * For behaviour that only lasts a limited time by the machine's clock. A body that fails after that time only shows
 * that the machine was too slow, and runs again. A failure in time, or in every try, counts.
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
