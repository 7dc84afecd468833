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

/** Values by name: the shape in which zod describes the fields of an object. */
type Fields = Record<string, z.ZodType>;

type Deprecation = {
  /** Since when clients are told (RFC 9745), and the instant from which the operation answers 410 (RFC 8594). */
  since: Date;
  sunset: Date;
  /** The path that takes its place. */
  successor: string;
};

/** Scopes of everything that a sandbox resets, and that a full sandbox refuses to change. */
export const CATALOGUE_SCOPES: ReadonlySet<Scope | 'any key'> = new Set<Scope>([
  'pets:write',
  'orders:write',
  'categories:write',
]);

/** So many rows one request may bring, and so many of them cost as much as a request that brings one. */
export const MOST_ROWS = 1000;
export const ROWS_PER_REQUEST = 100;

/** So many requests that bring many rows are served at a time, of one caller and of all: half a second's work, and some 100 MB at most. */
export const MOST_BATCHES = { each: 8, all: 32 };

/** What an operation promises: everything a client, the document, the router or a test may know of it. */
export type Contract = {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/v1`, with parameters in braces as OpenAPI writes them. */
  path: `/${string}`;
  /** The words by which the command line and the SDK call it: `pets create`, `client.pets.create`. */
  command: `${string} ${string}`;
  tag: string;
  summary: string;
  description: string;
  scope: Scope | 'any key';
  /** Served there only; elsewhere there is no such path. */
  environment?: Environment;
  /** Counted apart, in a small window of its own, so that it answers also when the key is limited or banned. */
  meter?: 'own';
  /** Where every field of the body may be left out, so may the body: `optionalBody`. */
  input: { path?: Fields; query?: Fields; body?: z.ZodObject; optionalBody?: true };
  /**
   * The field of the body that holds many rows, up to `MOST_ROWS`: the body may be as much larger, and the request costs one
   * for each `ROWS_PER_REQUEST` of them begun.
   */
  batchOf?: string;
  /** An answer without an end, of server-sent events; `Last-Event-ID` says where to go on. */
  stream?: true;
  /**
   * The row that a writing operation locks first, by the parameter or field that holds its id, or by a word if its
   * requests name none. Without it: the one that the path names first.
   */
  row?: string;
  /** Changes one row, and takes `If-Match` to guard it. */
  guarded?: true;
  /** A list: takes `limit`, `order` and `cursor`, and answers with `Link`. The schema is that of a row's position. */
  paged?: z.ZodType;
  answer: {
    status: 200 | 201 | 204;
    description: string;
    body?: z.ZodType;
    headers?: readonly ('ETag' | 'Location')[];
  };
  /** Its answer follows from the request and the rows of the store alone: it may be given again until one is written. */
  repeatable?: true;
  /** The refusals of its own rules; those that follow from the shape of the contract are derived. */
  failures?: readonly FailureCode[];
  stability?: 'beta' | 'experimental';
  deprecation?: Deprecation;
};

/** States a contract with its literal types kept. */
export const contract = <const C extends Contract>(definition: C): C => definition;

type Parsed<F> = F extends Fields ? { [Name in keyof F]: z.output<F[Name]> } : Record<never, never>;

/** The entity tags of `If-Match`: any of them will do. Undefined where the caller did not ask. */
export type Precondition = readonly string[] | undefined;

/** A page of a list as asked for: at most `limit` rows strictly behind the position `after`. */
export type PageRequest<Position> = { limit: number; order: 'asc' | 'desc'; after?: Position | undefined };

/** What the operation is handed once the request has passed every check of form. */
export type InputOf<C extends Contract> = {
  path: Parsed<C['input']['path']>;
  query: Parsed<C['input']['query']>;
  body: C['input']['body'] extends z.ZodObject ? z.output<C['input']['body']> : undefined;
  ifMatch: C['guarded'] extends true ? Precondition : undefined;
  lastEventId: C['stream'] extends true ? string | undefined : undefined;
  page: C['paged'] extends z.ZodType ? PageRequest<z.output<C['paged']>> : undefined;
};

/** A value as it is handed to `JSON.stringify`: an int64 as `jsonInteger` makes it. */
type Written<Value> = Value extends bigint
  ? RawJson
  : Value extends object
    ? { readonly [Name in keyof Value]: Written<Value[Name]> }
    : Value;

/** What is written for a client that reads it by this schema. */
export type BodyOf<Schema extends z.ZodType> = Written<z.input<Schema>>;

type HeaderOf<C extends Contract> = C['answer'] extends { headers: readonly (infer Name)[] } ? Name : never;
type Without<Part extends string> = { [Name in Part]?: never };

type ContentOf<C extends Contract> = C['stream'] extends true
  ? { stream: ReadableStream<Uint8Array> } & Without<'body'>
  : Without<'stream'> &
      (C['answer'] extends { body: infer Body extends z.ZodType } ? { body: BodyOf<Body> } : Without<'body'>);

/** A page has a version only where it shows a single row. */
type VersionOf<C extends Contract> = C['paged'] extends z.ZodType ? { version?: bigint } : { version: bigint };

/** What the operation answers: what its contract promises, and no part that it does not promise. */
export type AnswerOf<C extends Contract> = ContentOf<C> &
  ('ETag' extends HeaderOf<C> ? VersionOf<C> : Without<'version'>) &
  ('Location' extends HeaderOf<C> ? { location: string } : Without<'location'>) &
  (C['paged'] extends z.ZodType ? { next?: string } : Without<'next'>) &
  Without<'text' | 'replayed'>;
