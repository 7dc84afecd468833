/** Runs so many at a time. Who comes later waits for a place, in the order in which they came. */
export const createSemaphore = (most: number) => {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (taken < most) taken += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    }
  };
};
