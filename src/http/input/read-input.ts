import { z } from 'zod';
import type { Contract } from '../../kernel/contract.ts';
import { Failure, faulty } from '../../kernel/failure.ts';
import type { MaybePromise } from '../../kernel/maybe-promise.ts';
import { PAGE_PARAMETERS } from '../../kernel/page.ts';
import { readIfMatch } from './conditional.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { mediaTypesOf } from './media-types.ts';
import { bodyBoundsOf, parseBody, readBody } from './read-body.ts';
import { readQuery } from './read-query.ts';

export type Incoming = { request: Request; params: Record<string, string>; queryText: string };

/** The input of an operation, and the list it reads if it is a page of one. */
export type Read = { input: unknown; list?: ListRead };
export type ListRead = { given: Record<string, string>; cursorBehind(position: string): string };

const checkQuery = <Schema extends z.ZodType>(schema: Schema, given: Record<string, string>) => {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => ({ parameter: path.join('.'), detail: message }));
  throw faulty('invalid_parameter', ...faults);
};

export const checkBody = (schema: z.ZodType, body: unknown) => {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw faulty(
    'invalid_request',
    ...parsed.error.issues.map(({ path, message }) => ({ field: path, detail: message })),
  );
};

const checkPath = (schema: z.ZodType, params: Record<string, string>) => {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const name = String(parsed.error.issues[0]?.path[0]);
  throw new Failure('not_found', `There is nothing at this path: ${JSON.stringify(params[name])} is not a ${name}.`);
};

const spell = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(spell);
  return typeof value === 'bigint' ? String(value) : value;
};

/** The filters as JSON. Bigints are spelled before: a function that `JSON.stringify` asks makes it ten times slower. */
const spellFilters = (...filters: Record<string, unknown>[]): string => {
  const spelled: Record<string, unknown> = {};
  for (const given of filters) for (const name in given) spelled[name] = spell(given[name]);
  return JSON.stringify(spelled);
};

/** How the requests of one operation are read. The order of the steps is the order in which faults are told. */
export const createInputReader = (contract: Contract) => {
  const pathSchema = z.object(contract.input.path ?? {});
  const filters = contract.input.query ?? {};
  const position = contract.paged;
  const querySchema = z.object(position ? { ...filters, ...PAGE_PARAMETERS } : filters);
  const names = new Set(Object.keys(querySchema.shape));
  const hasPath = contract.input.path !== undefined;
  // The rows of a batch are read separately, in slices: see read-batch.ts.
  const bodySchema = contract.batchOf === undefined ? contract.input.body : undefined;
  const mediaTypes = mediaTypesOf(contract);
  const bounds = bodyBoundsOf(contract);

  const readFields = (schema: z.ZodType, bytes: Uint8Array | undefined): unknown =>
    checkBody(schema, parseBody(bytes, contract.input.optionalBody ?? false, bounds));

  const readPage = (
    given: Record<string, string>,
    path: Record<string, unknown>,
    query: Record<string, unknown>,
    position: z.ZodType,
  ) => {
    const { limit, order, cursor, ...filter } = query as { limit: number; order: 'asc' | 'desc'; cursor?: string };
    const binding = { list: contract.id, filters: spellFilters(path, filter), order };
    const after = cursor === undefined ? undefined : decodeCursor(binding, position, cursor);
    const list: ListRead = { given, cursorBehind: (position) => encodeCursor(binding, position) };
    return { query: filter, page: { limit, order, after }, list };
  };

  const read = ({ request, params, queryText }: Incoming, bytes: Uint8Array | undefined): Read => {
    const path = hasPath ? checkPath(pathSchema, params) : {};
    const ifMatch = contract.guarded ? readIfMatch(request.headers.get('if-match')) : undefined;
    const given = readQuery(queryText, names);
    const query: Record<string, unknown> = names.size > 0 ? checkQuery(querySchema, given) : {};
    if (position) {
      const { list, ...read } = readPage(given, path as Record<string, unknown>, query, position);
      return { input: { path, ...read }, list };
    }
    const lastEventId = contract.stream ? (request.headers.get('last-event-id') ?? undefined) : undefined;
    const body = bodySchema && readFields(bodySchema, bytes);
    return { input: { path, query, body, ifMatch, lastEventId } };
  };

  return {
    /** The body as it was sent. */
    readBytes: ({ request }: Incoming): MaybePromise<Uint8Array | undefined> =>
      contract.input.body ? readBody(request, mediaTypes, bounds) : undefined,
    read,
  };
};
