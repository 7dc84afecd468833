import type { z } from 'zod';
import type { FailureCode } from './failure.ts';
import type { RawJson } from './json.ts';

export const ENVIRONMENTS = ['production', 'staging'] as const;

export type Environment = (typeof ENVIRONMENTS)[number];

export const SCOPES = [
  'pets:read',
  'pets:write',
  'orders:read',
  'orders:write',
  'categories:write',
  'webhooks:write',
  'events:read',
  'keys:write',
  'ops:read',
] as const;

export type Scope = (typeof SCOPES)[number];

type Fields = Record<string, z.ZodType>;

type Deprecation = {
  /**
   * `since` is when the `Deprecation` header first appears (RFC 9745). `sunset` is when the operation begins to answer
   * 410 (RFC 8594).
   */
  since: Date;
  sunset: Date;
  successor: string;
};

/** Operations with these scopes are refused by a full sandbox, and a reset undoes their changes. */
export const CATALOGUE_SCOPES: ReadonlySet<Scope | 'any key'> = new Set<Scope>([
  'pets:write',
  'orders:write',
  'categories:write',
]);

/** Maximum number of rows in a batch request. Every 100 rows, or part of 100, count as one request. */
export const MAX_ROWS = 1000;
export const ROWS_PER_REQUEST = 100;

/** Maximum number of concurrent batches, per caller and in total. 32 batches need 0.5 s of work and about 100 MB. */
export const MAX_BATCHES = { each: 8, all: 32 };

export type Contract = {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: `/${string}`;
  /** `pets create` means `petstore pets create` on the command line and `client.pets.create` in the SDK. */
  command: `${string} ${string}`;
  tag: string;
  summary: string;
  description: string;
  scope: Scope | 'any key';
  /** The only environment that has this operation. In the other environment, its path does not exist. */
  environment?: Environment;
  /** The operation has a small rate limit of its own, so that banned or rate-limited keys can still call it. */
  meter?: 'own';
  input: { path?: Fields; query?: Fields; body?: z.ZodObject; optionalBody?: true };
  /**
   * The body field that contains up to `MAX_ROWS` rows. The body may be larger than usual, and every `ROWS_PER_REQUEST`
   * rows count as one request.
   */
  batchOf?: string;
  /** The answer is an endless stream of server-sent events. A client can resume the stream with `Last-Event-ID`. */
  stream?: true;
  /**
   * The parameter or field with the id of the row that the transaction locks first. Any other text is itself the name
   * of the lock. Default: the first id in the path.
   */
  row?: string;
  guarded?: true;
  /** A list with `limit`, `order`, `cursor` and the `Link` header. The schema describes a row's position in it. */
  paged?: z.ZodType;
  answer: {
    status: 200 | 201 | 204;
    description: string;
    body?: z.ZodType;
    headers?: readonly ('ETag' | 'Location')[];
  };
  /** The answer depends only on the request and the store's rows, so it may be cached until the next write. */
  repeatable?: true;
  /** Failures from the operation's own rules. All others, such as a missing scope, follow from the contract. */
  failures?: readonly FailureCode[];
  stability?: 'beta' | 'experimental';
  deprecation?: Deprecation;
};

export const contract = <const C extends Contract>(definition: C): C => definition;

type Parsed<F> = F extends Fields ? { [Name in keyof F]: z.output<F[Name]> } : Record<never, never>;

/** The entity tags in `If-Match`, one of which must match the current version. Undefined if the header is missing. */
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
