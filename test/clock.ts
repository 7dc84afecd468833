export const createTestClock = (start = '2026-11-20T12:00:00.000Z') => {
  let now = Date.parse(start);
  const clock = () => now;
  return Object.assign(clock, {
    advance: (ms: number) => {
      now += ms;
    },
    set: (instant: string) => {
      now = Date.parse(instant);
    },
  });
};

export const createTestMachine = (start = Date.parse('2026-11-20T12:00:00.000Z')) => {
  let now = start;
  let passedMs = 0;
  return {
    clock: () => now,
    stopwatch: () => passedMs,
    pass: (ms: number) => {
      now += ms;
      passedMs += ms;
    },
    setClock: (byMs: number) => {
      now += byMs;
    },
  };
};
