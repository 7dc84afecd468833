import type { AnswerOf, Contract, InputOf, Precondition, Scope } from './contract.ts';
import { Failure } from './failure.ts';
import type { MaybePromise } from './maybe-promise.ts';

/** Whom the service speaks to: the key behind a request. */
export type Caller = {
  keyId: string;
  storeId: bigint;
  scopes: readonly Scope[];
  limits: { perMinute: number; perDay: number; pets?: number | null };
  /** When the key, or the secret that was shown, stops working; null if it does not. */
  endsAt: number | null;
};

/** On whose behalf something happens. The service itself acts without a key and without a request. */
export type Call = {
  storeId: bigint;
  keyId: string | null;
  requestId: string | null;
  /** What led to whatever it leads to, in the words of W3C Trace Context. */
  traceparent: string | null;
  address: string | null;
  scopes: readonly Scope[];
  /** When the right to it ends; null if it does not. */
  endsAt: number | null;
  /** Maximum pets in the store for a caller that adds some; null or undefined: no limit. */
  petLimit?: number | null | undefined;
};

/** The store that exists from the start. */
export const FIRST_STORE = 1n;

/** Something done by the service itself, on nobody's behalf. */
export const SYSTEM_CALL: Call = {
  storeId: FIRST_STORE,
  keyId: null,
  requestId: null,
  traceparent: null,
  address: null,
  scopes: [],
  endsAt: null,
};

/** An answer of any operation on its way to the wire. An operation itself answers by its contract: `AnswerOf`. */
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

type Run<Input, Repositories, Deps, Result> = (
  repositories: Repositories,
  input: Input,
  call: Call,
  deps: Deps,
) => Result;

type Reading<Repositories, Deps> = {
  contract: Contract;
  access: 'read';
  run: Run<unknown, Repositories, Deps, MaybePromise<Answer>>;
};

type Writing<Repositories, Deps> = {
  contract: Contract;
  access: 'write';
  run: Run<unknown, Repositories, Deps, Promise<Answer>>;
  /** What the answer has to wait for once the transaction is committed; also an answer that is given again. */
  afterCommit?: ((call: Call, deps: Deps, input: unknown) => Promise<void>) | undefined;
};

/** `Deps` is what it uses beside repositories; it names only that. */
export type Operation<Reads, Repositories, Deps> = Reading<Reads, Deps> | Writing<Repositories, Deps>;

type FieldOf<Given> = Given extends { body: infer Body }
  ? Body extends readonly (infer Item)[]
    ? keyof Item
    : keyof Body
  : never;

/** Refuses a field that the contract does not show: TypeScript lets one pass that comes with a spread. */
type Closed<Given, Promised, Extra = Exclude<FieldOf<Given>, FieldOf<Promised>>> = [Extra] extends [never]
  ? unknown
  : { body: { notInTheContract: Extra } };

/** An operation that only looks: it is handed repositories that show what is committed and can write nothing. */
export const reads = <C extends Contract, Repositories, Deps, A extends AnswerOf<C>>(
  contract: C,
  run: Run<InputOf<C>, Repositories, Deps, MaybePromise<A & Closed<A, AnswerOf<C>>>>,
): Reading<Repositories, Deps> => ({
  contract,
  access: 'read',
  // Whoever runs it has read the input by the contract.
  run: run as Reading<Repositories, Deps>['run'],
});

/**
 * An operation that changes something. It runs inside one transaction, from its first line to its last, and may await
 * nothing but the repositories it is handed: other transactions wait for it.
 */
export const writes = <C extends Contract, Repositories, Deps, A extends AnswerOf<C>>(
  contract: C,
  run: Run<InputOf<C>, Repositories, Deps, Promise<A & Closed<A, AnswerOf<C>>>>,
  afterCommit?: (call: Call, deps: Deps, input: InputOf<C>) => Promise<void>,
): Writing<Repositories, Deps> => ({
  contract,
  access: 'write',
  run: run as Writing<Repositories, Deps>['run'],
  afterCommit: afterCommit as Writing<Repositories, Deps>['afterCommit'],
});

/** Runs `body` in a transaction of that store, on behalf of the service itself. */
export type WriteInStore<Repositories> = <Result>(
  storeId: bigint,
  body: (repositories: Repositories) => MaybePromise<Result>,
) => Promise<Result>;

/** The row's version as a strong entity tag. */
export const etag = (version: bigint): string => `"${version}"`;

/** Compared strongly, as RFC 9110 section 13.1.1 asks of `If-Match`: a weak tag matches nothing. */
export const refuseStale = (ifMatch: Precondition, version: bigint): void => {
  if (ifMatch === undefined || ifMatch.includes('*') || ifMatch.includes(etag(version))) return;
  throw new Failure('precondition_failed', `The row is at version ${etag(version)} now. Read it again, then retry.`);
};
