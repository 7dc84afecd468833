/**
 * A value or a promise of it. Creating a promise costs as much as reading a pet, so request handling awaits only real
 * promises: `value instanceof Promise ? await value : value`.
 */
export type MaybePromise<Value> = Value | Promise<Value>;
