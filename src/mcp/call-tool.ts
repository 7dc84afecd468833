import type { CallToolResult } from '@modelcontextprotocol/server';
import { suggest } from '../../cli/args/suggest.ts';
import { type Contract, METHODS } from '../kernel/contract.ts';
import { parseJsonForOutput } from '../kernel/json.ts';

type Place = 'path' | 'query' | 'body' | 'header';

type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema };

type ObjectSchema = Schema & { type: 'object' };

export type Tool = {
  contract: Contract;
  places: Record<string, Place>;
  shown: { name: string; description: string; inputSchema: ObjectSchema; outputSchema?: ObjectSchema };
};

type Arguments = Record<string, unknown>;

const spell = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(spell).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const isRounded = (value: unknown): boolean => {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isRounded);
  return typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value));
};

const PLACE_FAULTS: Partial<Record<Place, (text: string) => string | false>> = {
  // URL parsers resolve `.` and `..`, even if they are percent-encoded, so the request would go to a different path.
  path: (text) => /^\.{0,2}$/.test(text) && 'must be an id',
  header: (text) => !/^[\x20-\x7e]*$/.test(text) && 'must be visible ASCII characters',
};

// Maximum length of a path, query or header, in characters. Servers refuse a request if these exceed 16 KiB in total.
const MAX_OUTSIDE_BODY = 8192;

const isTooLong = (text: string): boolean =>
  text.length > MAX_OUTSIDE_BODY || encodeURIComponent(text.toWellFormed()).length > MAX_OUTSIDE_BODY;

const refuseName = (place: string, name: string, known: readonly string[]): string => {
  const meant = suggest(name, known);
  const names = known.length > 0 ? `The arguments are ${known.join(', ')}.` : 'Leave it out.';
  return `There is no argument ${place.slice(0, 100)}. ${meant ? `Did you mean ${meant}? ` : ''}${names}`;
};

/** Finds an unknown argument. If a misspelled filter were ignored, an agent could change the wrong rows. */
const findUnknown = ({ properties, items }: Schema, value: unknown, path = ''): string | undefined => {
  if (typeof value !== 'object' || value === null || !(properties ?? items)) return undefined;
  const known = Object.keys(properties ?? {});
  for (const [name, part] of Object.entries(value)) {
    const place = items ? `${path}[${name}]` : `${path && `${path}.`}${name}`;
    const inside = items ?? (known.includes(name) ? properties?.[name] : undefined);
    const unknown = inside ? findUnknown(inside, part, place) : refuseName(place, name, known);
    if (unknown) return unknown;
  }
  return undefined;
};

export const faultOf = ({ places, shown }: Tool, given: Arguments): string | undefined => {
  const unknown = findUnknown(shown.inputSchema, given);
  if (unknown) return unknown;
  for (const [name, place] of Object.entries(places)) {
    const { [name]: value = place === 'path' ? '' : undefined } = given;
    if (value === undefined) continue;
    if (isRounded(value))
      return `${name} is beyond 2^53, and agents may round integers of that size. Use the HTTP API instead.`;
    if (place === 'body') continue;
    const text = spell(value);
    if (isTooLong(text)) return `${name} is too long. Send at most ${MAX_OUTSIDE_BODY} bytes, percent-encoded.`;
    const fault = PLACE_FAULTS[place]?.(text);
    if (fault) return `${name} ${fault}.`;
  }
  return undefined;
};

export const toApiRequest = (tool: Tool, given: Arguments) => {
  const { contract, places } = tool;
  const of = (place: Place): [string, unknown][] =>
    Object.entries(given).filter(([name, value]) => places[name] === place && value !== undefined);
  const params = Object.fromEntries(of('path').map(([name, value]) => [name, spell(value).toWellFormed()]));
  const query = new URLSearchParams(of('query').map(([name, value]): [string, string] => [name, spell(value)]));
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const headers = Object.fromEntries(of('header').map(([name, value]) => [name, spell(value)]));
  const hasBody = contract.input.body !== undefined;
  return {
    tool,
    params,
    path: query.size > 0 ? `${path}?${query}` : path,
    method: contract.method,
    headers: hasBody ? { ...headers, 'Content-Type': 'application/json' } : headers,
    ...(hasBody ? { body: JSON.stringify(Object.fromEntries(of('body'))) } : {}),
  };
};

export type ApiRequest = ReturnType<typeof toApiRequest>;

const bareRefusal = ({ status }: Response): string =>
  status === 413 || status === 431
    ? `payload_too_large: the arguments are too long for one request (status ${status}). Send less, or split the data into several requests.`
    : `The request failed with status ${status} and no message. Check PETSTORE_URL and any proxy in between.`;

const REQUEST = new RegExp(String.raw`\b(${METHODS.join('|')}) (/[\w{}/-]+)(?:\?([\w=&-]+))?`, 'g');

const nameTools = (text: string, contracts: readonly Contract[]): string =>
  text.replaceAll(REQUEST, (request, method, path, query) => {
    for (const one of contracts.filter((contract) => contract.method === method)) {
      const found = new RegExp(`^${one.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(path);
      if (!found) continue;
      const values = [...Object.entries(found.groups ?? {}), ...new URLSearchParams(query)];
      const known = values.filter(([, value]) => !value.startsWith('{')).map((pair) => pair.join(' '));
      return known.length > 0 ? `${one.id} with ${known.join(', ')}` : one.id;
    }
    return request;
  });

const toContent = (...lines: string[]) => lines.map((text) => ({ type: 'text' as const, text }));

export const toToolError = (...lines: string[]): CallToolResult => ({ content: toContent(...lines), isError: true });

const structure = (text: string, nextCursor?: string): Arguments => {
  const body = parseJsonForOutput(text);
  return Array.isArray(body) ? { rows: body, ...(nextCursor ? { nextCursor } : {}) } : (body as Arguments);
};

export const toToolResult = async (response: Response, contracts: readonly Contract[]): Promise<CallToolResult> => {
  const text = await response.text();
  const [retryAfter, link, etag] = ['retry-after', 'link', 'etag'].map((name) => response.headers.get(name));
  if (!response.ok) {
    const advice = retryAfter ? [`Retry in ${retryAfter} seconds.`] : [];
    return toToolError(nameTools(text, contracts) || bareRefusal(response), ...advice);
  }
  if (!text) return { content: toContent('Done.') };
  const [, cursor] = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(link ?? '') ?? [];
  const next = cursor ? [`More rows follow. Call again with the same arguments and cursor ${cursor}`] : [];
  const version = etag ? [`ETag: ${etag}`] : [];
  try {
    return { content: toContent(text, ...next, ...version), structuredContent: structure(text, cursor) };
  } catch {
    return toToolError('The response is not JSON. Check PETSTORE_URL and any proxy in between.');
  }
};
