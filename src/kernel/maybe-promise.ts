/**
 * What is there at once, or later. A promise for what is there already costs as much as reading an animal from the
 * database, so the way of every request is written for both.
 */
export type MaybePromise<Value> = Value | Promise<Value>;

/** What `next` makes of the value, as soon as that is there. */
export const chain = <Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> => (value instanceof Promise ? value.then(next) : next(value));

/** The same, with what to make of a failure, whether `start` throws or its promise is rejected. */
export const tryChain = <Value, Result>(
  start: () => MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
  failed: (error: unknown) => MaybePromise<Result>,
): MaybePromise<Result> => {
  let value: MaybePromise<Value>;
  try {
    value = start();
  } catch (error) {
    return failed(error);
  }
  return value instanceof Promise ? value.then(next, failed) : next(value);
};
