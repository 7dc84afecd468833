/**
 * Creating a promise costs as much as reading a pet. So code that handles requests awaits only real promises: `value
 * instanceof Promise ? await value : value`.
 */
export type MaybePromise<Value> = Value | Promise<Value>;
