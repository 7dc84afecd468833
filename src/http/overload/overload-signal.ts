/** It is judged no more often than this, so that a proxy is not told something else with every question. */
const PERIOD_MS = 5000;

/** Fewer refusals than this say nothing. */
const FEWEST = 100;

/** With fewer than one in so many served, next to nobody is. */
const SERVED_SHARE = 100;

/** Whether next to none of those with a valid key were served since it was last judged. */
export const createOverloadSignal = (elapsed: () => number) => {
  let [served, refused] = [0, 0];
  let judgedAt = elapsed();
  let isSheddingAll = false;
  return {
    noteServed: (): void => {
      served += 1;
    },
    noteRefused: (): void => {
      refused += 1;
    },
    isSheddingAll: (): boolean => {
      const now = elapsed();
      if (now - judgedAt >= PERIOD_MS) {
        isSheddingAll = refused >= FEWEST && served * SERVED_SHARE < refused;
        [served, refused, judgedAt] = [0, 0, now];
      }
      return isSheddingAll;
    },
  };
};
