import { z } from 'zod';
import type { Contract } from '../../kernel/contract.ts';
import { Failure, type Fault, faulty } from '../../kernel/failure.ts';
import type { Once } from '../../kernel/operation.ts';
import { PAGE_PARAMETERS } from '../../kernel/page.ts';
import { type MaybePromise, tryTo } from '../../kernel/runtime.ts';
import { decodeCursor, encodeCursor, type ListRead } from './cursor.ts';
import { fingerprint, readIdempotencyKey } from './idempotency-key.ts';
import { readIfMatch } from './list-headers.ts';
import { bodyBoundsOf, mediaTypesOf, parseBody, readBody } from './read-body.ts';

type Incoming = { request: Request; params: Record<string, string>; path: string; queryText: string };

export type Read = { input: unknown; list?: ListRead; once?: Once | undefined };

const ENCODED = /[%+]/;

const decode = (text: string): string | undefined =>
  ENCODED.test(text) ? tryTo(() => decodeURIComponent(text.replaceAll('+', ' '))) : text;

type Occurrence = 'once' | 'list';

const knownName = (name: string, names: ReadonlyMap<string, Occurrence>): string | undefined => {
  if (names.has(name)) return name;
  const list = name.endsWith('[]') ? name.slice(0, -2) : '';
  return names.get(list) === 'list' ? list : undefined;
};

/** @internal */
export const readQuery = (text: string, names: ReadonlyMap<string, Occurrence>): Record<string, string> => {
  const values: Record<string, string> = {};
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=');
    const given = decode(equals < 0 ? pair : pair.slice(0, equals));
    const name = given === undefined ? undefined : knownName(given, names);
    if (name === undefined) continue;
    const isRepeated = name in values;
    if (isRepeated && names.get(name) === 'once')
      throw faulty('invalid_parameter', { parameter: name, detail: 'must be given only once' });
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (value === undefined)
      throw faulty('invalid_parameter', { parameter: name, detail: 'must be percent-encoded UTF-8' });
    values[name] = isRepeated ? `${values[name]},${value}` : value;
  }
  return values;
};

const checkQuery = <Schema extends z.ZodType>(schema: Schema, given: Record<string, string>) => {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => ({ parameter: path.join('.'), detail: message }));
  throw faulty('invalid_parameter', ...faults);
};

export const bodyFaults = ({ issues }: z.ZodError, place: readonly PropertyKey[] = []): Fault[] =>
  issues.map(({ path, message }) => ({ field: [...place, ...path], detail: message }));

export const checkBody = (schema: z.ZodType, body: unknown) => {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw faulty('invalid_request', ...bodyFaults(parsed.error));
};

const nothingAt = (params: Record<string, string>, { issues }: z.ZodError): Failure => {
  const name = String(issues[0]?.path[0]);
  return new Failure(
    'not_found',
    `Nothing exists at this path: ${JSON.stringify(params[name])} is not a valid ${name}.`,
  );
};

const spell = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(spell);
  return typeof value === 'bigint' ? String(value) : value;
};

/** Converts bigints to strings first, because a replacer function would make `JSON.stringify` ten times slower. */
const formatFilters = (...filters: Record<string, unknown>[]): string => {
  const spelled: Record<string, unknown> = {};
  for (const given of filters) for (const name in given) spelled[name] = spell(given[name]);
  return JSON.stringify(spelled);
};

const occurrenceOf = (schema: z.core.$ZodType): Occurrence => {
  const value = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return z.globalRegistry.get(value)?.type === 'array' ? 'list' : 'once';
};

export const compileInput = (contract: Contract) => {
  const { path, query: filters = {}, body } = contract.input;
  const query = z.object(contract.paged ? { ...filters, ...PAGE_PARAMETERS } : filters);
  return {
    contract,
    path: path && z.object(path),
    query,
    names: new Map(Object.entries(query.shape).map(([name, schema]) => [name, occurrenceOf(schema)])),
    body: contract.batchOf === undefined ? body : undefined,
    mediaTypes: mediaTypesOf(contract),
    bounds: bodyBoundsOf(contract),
  };
};

export type InputSchema = ReturnType<typeof compileInput>;

const readListPage = (
  { id }: Contract,
  given: Record<string, string>,
  path: Record<string, unknown>,
  query: Record<string, unknown>,
  position: z.ZodType,
) => {
  const { limit, order, cursor, ...filter } = query as { limit: number; order: 'asc' | 'desc'; cursor?: string };
  const binding = { list: id, filters: formatFilters(path, filter), order };
  const after = cursor === undefined ? undefined : decodeCursor(binding, position, cursor);
  const list: ListRead = { given, cursorAfter: (position) => encodeCursor(binding, position) };
  return { query: filter, page: { limit, order, after }, list };
};

export const readFields = (schema: InputSchema, incoming: Incoming, bytes: Uint8Array | undefined): Read => {
  const { contract, names, bounds } = schema;
  const { params, queryText, request } = incoming;
  const { headers } = request;
  const parsed = schema.path?.safeParse(params);
  if (parsed?.error) throw nothingAt(params, parsed.error);
  const path = parsed?.data ?? {};
  const ifMatch = contract.guarded ? readIfMatch(headers.get('if-match')) : undefined;
  const given = queryText === '' ? {} : readQuery(queryText, names);
  const query = names.size > 0 ? checkQuery(schema.query, given) : {};
  if (contract.paged) {
    const { list, ...read } = readListPage(contract, given, path, query, contract.paged);
    return { input: { path, ...read }, list };
  }
  const lastEventId = contract.stream ? (headers.get('last-event-id') ?? undefined) : undefined;
  const body = schema.body && checkBody(schema.body, parseBody(bytes, contract.input.optionalBody ?? false, bounds));
  return { input: { path, query, body, ifMatch, lastEventId } };
};

export const readBytes = ({ contract, mediaTypes, bounds }: InputSchema, request: Request) =>
  contract.input.body ? readBody(request, mediaTypes, bounds) : undefined;

export const readOnce = async ({ method }: Contract, incoming: Incoming, bytes: Uint8Array | undefined) => {
  const header = method === 'POST' ? incoming.request.headers.get('idempotency-key') : null;
  if (header === null) return undefined;
  return { key: readIdempotencyKey(header), fingerprint: await fingerprint(incoming, bytes) };
};

const readWithBody = async (schema: InputSchema, incoming: Incoming): Promise<Read> => {
  const bytes = await readBytes(schema, incoming.request);
  const read = readFields(schema, incoming, bytes);
  if (incoming.request.headers.has('idempotency-key')) read.once = await readOnce(schema.contract, incoming, bytes);
  return read;
};

export const readInput = (schema: InputSchema, incoming: Incoming): MaybePromise<Read> =>
  schema.contract.method === 'POST' || schema.body
    ? readWithBody(schema, incoming)
    : readFields(schema, incoming, undefined);
