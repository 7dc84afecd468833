/**
 * For what the service does only for so long, by the clock of the machine. A body that fails after that time tells nothing
 * but that the machine was too slow, and is run again; one that fails in time has failed.
 */
export const inTime = async (limitMs: number, body: () => Promise<void>): Promise<void> => {
  for (;;) {
    const startedAt = performance.now();
    try {
      return await body();
    } catch (error) {
      if (performance.now() - startedAt < limitMs) throw error;
    }
  }
};
