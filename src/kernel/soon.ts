/**
 * What is there at once, or later. A promise for what is there already costs as much as reading an animal from the
 * database, so the way of every request is written for both.
 */
export type Soon<Value> = Value | Promise<Value>;

/** What `next` makes of the value, as soon as that is there. */
export const upon = <Value, Result>(value: Soon<Value>, next: (value: Value) => Soon<Result>): Soon<Result> =>
  value instanceof Promise ? value.then(next) : next(value);

/** The same, with what to make of a failure, whether `start` throws or its promise is rejected. */
export const settle = <Value, Result>(
  start: () => Soon<Value>,
  next: (value: Value) => Soon<Result>,
  failed: (error: unknown) => Soon<Result>,
): Soon<Result> => {
  let value: Soon<Value>;
  try {
    value = start();
  } catch (error) {
    return failed(error);
  }
  return value instanceof Promise ? value.then(next, failed) : next(value);
};
