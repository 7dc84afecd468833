/** A clock that stands still until a test moves it. */
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
