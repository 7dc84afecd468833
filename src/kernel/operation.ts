import type { AnswerOf, Contract, InputOf, Precondition, Scope } from './contract.ts';
import type { EventType } from './event.ts';
import { Failure } from './failure.ts';
import type { MaybePromise } from './runtime.ts';

export type Caller = {
  keyId: string;
  storeId: bigint;
  scopes: readonly Scope[];
  limits: { perMinute: number; perDay: number; pets?: number | null };
  /** The time at which the caller's key or secret expires, in milliseconds since 1970. Null means never. */
  endsAt: number | null;
};

export type KeyRequest = {
  keyId: string;
  requestId: string;
  method: string;
  path: string;
  /** The URL's length in characters. `path` is a slice of the URL, so keeping `path` keeps the whole URL in memory. */
  urlLength: number;
  status: number;
  code: string | undefined;
  durationMs: number;
  address: string;
  deprecatedOperation: string | undefined;
};

export type Call = {
  storeId: bigint;
  keyId: string | null;
  requestId: string | null;
  traceparent: string | null;
  address: string | null;
  scopes: readonly Scope[];
  endsAt: number | null;
  petLimit?: number | null | undefined;
  /** Milliseconds since the key's last write on any instance. Undefined unless Redis counted this request. */
  sinceWriteMs?: number | undefined;
};

/**
 * When the limiter admits a request that writes, it stores the current time as the time of the key's last write. If the
 * request takes longer than this, the stored time is updated before the response is sent.
 */
export const NOTED_FOR_MS = 1000;

export const FIRST_STORE = 1n;

export const SYSTEM_CALL: Call = {
  storeId: FIRST_STORE,
  keyId: null,
  requestId: null,
  traceparent: null,
  address: null,
  scopes: [],
  endsAt: null,
};

export type Answer = {
  body?: unknown;
  text?: string;
  stream?: ReadableStream<Uint8Array>;
  replayed?: boolean;
  version?: bigint;
  location?: string;
  next?: string;
};

/** Identifies a request that must run only once, however often it is sent. */
export type Once = { key: string; fingerprint: Uint8Array };

export type RunRequest = (
  input: unknown,
  call: Call,
  request: { signal: AbortSignal | undefined; once: Once | undefined },
) => MaybePromise<Answer>;

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
  /** Runs after the commit and before the response, even if a stored response is replayed. */
  beforeAnswer?: ((call: Call, deps: Deps, input: unknown) => Promise<void>) | undefined;
};

export type Operation<Reads, Repositories, Deps> = Reading<Reads, Deps> | Writing<Repositories, Deps>;

type FieldOf<Given> = Given extends { body: infer Body }
  ? Body extends readonly (infer Item)[]
    ? keyof Item
    : keyof Body
  : never;

/** TypeScript accepts extra fields that come from a spread. This type rejects them. */
type Closed<Given, Promised, Extra = Exclude<FieldOf<Given>, FieldOf<Promised>>> = [Extra] extends [never]
  ? unknown
  : { body: { notInTheContract: Extra } };

export const reads = <C extends Contract, Repositories, Deps, A extends AnswerOf<C>>(
  contract: C,
  run: Run<InputOf<C>, Repositories, Deps, MaybePromise<A & Closed<A, AnswerOf<C>>>>,
): Reading<Repositories, Deps> => ({ contract, access: 'read', run: run as Reading<Repositories, Deps>['run'] });

/** Other transactions wait while `run` is running, so `run` must not await anything except its repositories. */
export const writes = <C extends Contract, Repositories, Deps, A extends AnswerOf<C>>(
  contract: C,
  run: Run<InputOf<C>, Repositories, Deps, Promise<A & Closed<A, AnswerOf<C>>>>,
  beforeAnswer?: (call: Call, deps: Deps, input: InputOf<C>) => Promise<void>,
): Writing<Repositories, Deps> => ({
  contract,
  access: 'write',
  run: run as Writing<Repositories, Deps>['run'],
  beforeAnswer: beforeAnswer as Writing<Repositories, Deps>['beforeAnswer'],
});

export type WriteInStore<Repositories> = <Result>(
  storeId: bigint,
  body: (repositories: Repositories) => MaybePromise<Result>,
) => Promise<Result>;

const etag = (version: bigint): string => `"${version}"`;

/** A weak entity tag never matches (see `If-Match` in RFC 9110, section 13.1.1). */
export const refuseStale = (ifMatch: Precondition, version: bigint): void => {
  if (ifMatch === undefined || ifMatch.includes('*') || ifMatch.includes(etag(version))) return;
  throw new Failure(
    'precondition_failed',
    `The resource no longer matches the version in If-Match; its version is now ${etag(version)}. Read it again, apply your change, and send the new ETag.`,
  );
};

export type Change = {
  type: EventType;
  object: object;
  previous?: object;
  /** The category that received the pets of a merged category. */
  mergedInto?: object;
  petId?: bigint;
  orderId?: bigint;
  /** Defaults to the caller's store. */
  storeId?: bigint;
};

/** Writes an event in the same transaction as the change it describes, so that neither exists without the other. */
export type EventLog = {
  append(change: Change): MaybePromise<string>;
  appendMany(changes: readonly Change[]): Promise<void>;
};

export const changedFields = <Body extends object>(before: Body, after: Body): Partial<Body> | undefined => {
  const names = Object.keys({ ...before, ...after }) as (keyof Body)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const previous = changed.map((name) => [name, before[name] ?? null]);
  return changed.length === 0 ? undefined : (Object.fromEntries(previous) as Partial<Body>);
};
