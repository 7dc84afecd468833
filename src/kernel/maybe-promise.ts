/**
 * A value available now or later. An unneeded promise costs as much as reading a pet, so the request path awaits only
 * real promises: `value instanceof Promise ? await value : value`.
 */
export type MaybePromise<Value> = Value | Promise<Value>;
