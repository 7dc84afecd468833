/**
 * For what the service does only for so long, by the clock of the machine. A body that fails after that time tells nothing
 * but that the machine was too slow, and is run again; one that fails in time, or every time, has failed.
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
