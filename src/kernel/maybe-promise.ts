/**
 * A value that is there now or later. A promise for a value that is there already costs as much as reading a pet, so the path
 * of a request awaits only real promises: `value instanceof Promise ? await value : value`.
 */
export type MaybePromise<Value> = Value | Promise<Value>;
