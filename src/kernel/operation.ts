import type { Contract, InputOf, Scope } from './contract.ts';
import type { MaybePromise } from './maybe-promise.ts';

/** Whom the service speaks to: the key behind a request. */
export type Caller = {
  keyId: string;
  storeId: bigint;
  scopes: readonly Scope[];
  limits: { perMinute: number; perDay: number };
  /** When the key, or the secret that was shown, stops working; null if it does not. */
  endsAt: number | null;
};

/** On whose behalf something happens. The service itself acts without a key and without a request. */
export type Call = {
  storeId: bigint;
  keyId: string | null;
  requestId: string | null;
  address: string | null;
  scopes: readonly Scope[];
  /** When the right to it ends; null if it does not. */
  endsAt: number | null;
};

/** The store that exists from the start. */
export const FIRST_STORE = 1n;

/** Something done by the service itself, on nobody's behalf. */
export const SYSTEM_CALL: Call = {
  storeId: FIRST_STORE,
  keyId: null,
  requestId: null,
  address: null,
  scopes: [],
  endsAt: null,
};

export type Answer = {
  body?: unknown;
  /** The body as it was written before, in the place of `body`. */
  text?: string;
  /** The body as it comes to be, in the place of `body`. */
  stream?: ReadableStream<Uint8Array>;
  /** Whether this is the first answer given again. */
  replayed?: boolean;
  /** The version of the single row shown; becomes the `ETag`. */
  version?: bigint;
  /** The path, below `/v1`, of what was created. */
  location?: string;
  /** The position of the last row shown, when more rows follow. */
  next?: string;
};

export type Operation<Reads, Repositories> = { contract: Contract } & (
  | { access: 'read'; run(repositories: Reads, input: unknown, call: Call): MaybePromise<Answer> }
  | { access: 'write'; run(repositories: Repositories, input: unknown, call: Call): Promise<Answer> }
);

type Run<C extends Contract, Repositories, Result> = (
  repositories: Repositories,
  input: InputOf<C>,
  call: Call,
) => Result;

/** An operation that only looks: it is handed stores that show what is committed and can write nothing. */
export const reads = <C extends Contract, Repositories>(
  contract: C,
  run: Run<C, Repositories, MaybePromise<Answer>>,
) => ({
  contract,
  access: 'read' as const,
  run: run as (repositories: Repositories, input: unknown, call: Call) => MaybePromise<Answer>,
});

/**
 * An operation that changes something. It runs inside one transaction, from its first line to its last, and may await
 * nothing but the stores it is handed: other transactions wait for it.
 */
export const writes = <C extends Contract, Repositories>(contract: C, run: Run<C, Repositories, Promise<Answer>>) => ({
  contract,
  access: 'write' as const,
  run: run as (repositories: Repositories, input: unknown, call: Call) => Promise<Answer>,
});
