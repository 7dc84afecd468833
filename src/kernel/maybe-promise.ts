/** Creating a promise costs as much as reading a pet, so code that handles requests awaits only real promises. */
export type MaybePromise<Value> = Value | Promise<Value>;
