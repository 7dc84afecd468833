import type { z } from 'zod';
import type { FailureCode } from './failure.ts';
import type { RawJson } from './json.ts';

export const ENVIRONMENTS = ['production', 'staging'] as const;

export type Environment = (typeof ENVIRONMENTS)[number];

export const SCOPES = [
  ...['pets:read', 'pets:write', 'orders:read', 'orders:write', 'categories:write'],
  ...['webhooks:write', 'events:read', 'keys:write', 'ops:read'],
] as const;

export type Scope = (typeof SCOPES)[number];

type Fields = Record<string, z.ZodType>;

type Deprecation = {
  /** Responses have a `Deprecation` header after `since` (RFC 9745), and the status 410 after `sunset` (RFC 8594). */
  since: Date;
  sunset: Date;
  successor: string;
};

/** If a sandbox is full, it refuses operations that need one of these scopes. */
export const CATALOGUE_SCOPES: readonly Contract['scope'][] = ['pets:write', 'orders:write', 'categories:write'];

/** The maximum number of rows in a batch. The rate limiter counts every `ROWS_PER_REQUEST` rows as one request. */
export const MAX_ROWS = 1000;
export const ROWS_PER_REQUEST = 100;

/** Maximum number of concurrent batches per caller and in total. 32 batches take 0.5 s and about 100 MB of memory. */
export const MAX_BATCHES = { each: 8, all: 32 };

/** The `Allow` header lists the methods in this order. */
export const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

export type Contract = {
  id: string;
  method: (typeof METHODS)[number];
  path: `/${string}`;
  /** `pets create` becomes `petstore pets create` on the command line and `client.pets.create` in the SDK. */
  command: `${string} ${string}`;
  tag: string;
  summary: string;
  description: string;
  scope: Scope | 'any key';
  environment?: Environment;
  /** The operation has its own small rate limit, so that even banned and rate-limited keys can call it. */
  meter?: 'own';
  input: { path?: Fields; query?: Fields; body?: z.ZodObject; optionalBody?: true };
  /** The body field that contains the rows of a batch. A batch may have a larger body than other requests. */
  batchOf?: string;
  stream?: true;
  /**
   * Writes with the same lock run one after another. `row` is the lock's name, or the name of the input field that
   * contains the id of the row to lock. The default is the first parameter in `path`.
   */
  row?: string;
  guarded?: true;
  /** The schema of the position that a cursor contains. Set only for operations that return pages. */
  paged?: z.ZodType;
  answer: {
    status: 200 | 201 | 204;
    description: string;
    body?: z.ZodType;
    headers?: readonly ('ETag' | 'Location')[];
  };
  /** The response depends only on the request and the store's rows, so it may be cached until the next write. */
  repeatable?: true;
  /** The response may come from a standby that is seconds behind the primary, but includes the caller's own writes. */
  mayLag?: true;
  /** Failures caused by the operation's own rules. Other fields imply the other failures, such as a missing scope. */
  failures?: readonly FailureCode[];
  stability?: 'beta' | 'experimental';
  deprecation?: Deprecation;
};

type Details = Omit<Contract, 'id' | 'method' | 'path' | 'input'> & Partial<Pick<Contract, 'input'>>;

export const contract = <const D extends Details>(
  id: string,
  method: Contract['method'],
  path: Contract['path'],
  details: D,
) => ({ id, method, path, input: {}, ...details });

type Parsed<F> = F extends Fields ? { [Name in keyof F]: z.output<F[Name]> } : Record<never, never>;

export type Precondition = readonly string[] | undefined;

export type PageRequest<Position> = { limit: number; order: 'asc' | 'desc'; after?: Position | undefined };

export type InputOf<C extends Contract> = {
  path: Parsed<C['input']['path']>;
  query: Parsed<C['input']['query']>;
  body: C['input']['body'] extends z.ZodObject ? z.output<C['input']['body']> : undefined;
  ifMatch: C['guarded'] extends true ? Precondition : undefined;
  lastEventId: C['stream'] extends true ? string | undefined : undefined;
  page: C['paged'] extends z.ZodType ? PageRequest<z.output<C['paged']>> : undefined;
};

type Written<Value> = Value extends bigint
  ? RawJson
  : Value extends object
    ? { readonly [Name in keyof Value]: Written<Value[Name]> }
    : Value;

export type BodyOf<Schema extends z.ZodType> = Written<z.input<Schema>>;

type HeaderOf<C extends Contract> = C['answer'] extends { headers: readonly (infer Name)[] } ? Name : never;
type Without<Part extends string> = { [Name in Part]?: never };

type ContentOf<C extends Contract> = C['stream'] extends true
  ? { stream: ReadableStream<Uint8Array> } & Without<'body'>
  : Without<'stream'> &
      (C['answer'] extends { body: infer Body extends z.ZodType } ? { body: BodyOf<Body> } : Without<'body'>);

type VersionOf<C extends Contract> = C['paged'] extends z.ZodType ? { version?: bigint } : { version: bigint };

export type AnswerOf<C extends Contract> = ContentOf<C> &
  ('ETag' extends HeaderOf<C> ? VersionOf<C> : Without<'version'>) &
  ('Location' extends HeaderOf<C> ? { location: string } : Without<'location'>) &
  (C['paged'] extends z.ZodType ? { next?: string } : Without<'next'>) &
  Without<'text' | 'replayed'>;
