import type { Place, Tool } from './tool.ts';

export type ApiRequest = {
  tool: Tool;
  params: Record<string, string>;
  /** Path below `/v1`, with the query. */
  path: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
};

/** The response body as text; for objects, also as structured content. */
export type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
};

type Arguments = Record<string, unknown>;

/** Joins lists with commas. Spells unsuitable values too, so that the service refuses them. */
const spell = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(spell).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** Whether a value contains an integer that JSON parsers round. */
const isRounded = (value: unknown): boolean => {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isRounded);
  return typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value));
};

/** Values that no request can carry in this place. The service checks the rest. */
const PLACE_FAULTS: Partial<Record<Place, (text: string) => string | false>> = {
  // One or two dots would lead to another path, encoded or not.
  path: (text) => /^\.{0,2}$/.test(text) && 'must be an id',
  header: (text) => !/^[\x20-\x7e]*$/.test(text) && 'must be visible ASCII characters',
};

/** Servers accept 16 KiB of path, query and headers together, and refuse more without a response body. */
const MAX_OUTSIDE_BODY = 8192;

const isTooLong = (text: string): boolean =>
  text.length > MAX_OUTSIDE_BODY || encodeURIComponent(text.toWellFormed()).length > MAX_OUTSIDE_BODY;

/** Checks the arguments before a request is made. */
export const faultOf = ({ places }: Tool, given: Arguments): string | undefined => {
  for (const [name, place] of places) {
    const { [name]: value = place === 'path' ? '' : undefined } = given;
    if (value === undefined) continue;
    if (isRounded(value)) return `${name} is beyond 2^53, where agents round integers. Use the HTTP API instead.`;
    if (place === 'body') continue;
    const text = spell(value);
    if (isTooLong(text)) return `${name} is too long. Send at most ${MAX_OUTSIDE_BODY} bytes, percent-encoded.`;
    const fault = PLACE_FAULTS[place]?.(text);
    if (fault) return `${name} ${fault}.`;
  }
  return undefined;
};

export const toApiRequest = (tool: Tool, given: Arguments): ApiRequest => {
  const { contract, places } = tool;
  const of = (place: Place): [string, unknown][] =>
    Object.entries(given).filter(([name, value]) => places.get(name) === place && value !== undefined);
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

/** What an agent needs besides the body: the next page's cursor, and the version for a conditional change. */
const notesOf = ({ headers }: Response): string[] => {
  const [, cursor] = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  const etag = headers.get('etag');
  return [
    ...(cursor ? [`More rows follow. Call again with the same arguments and cursor ${cursor}`] : []),
    ...(etag ? [`ETag: ${etag}`] : []),
  ];
};

/** Integers that JavaScript would round are sent only as text. */
const MAY_BE_ROUNDED = /\d{16}/;

const readObject = (text: string): Record<string, unknown> | undefined => {
  // Only an object starts with a brace.
  if (!text.startsWith('{') || MAY_BE_ROUNDED.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Explains a status without a body: a server or proxy could not read the request. */
const bareRefusal = ({ status }: Response): string =>
  status === 413 || status === 431
    ? `payload_too_large: the arguments are too long for one request (status ${status}). Send less, or several requests.`
    : `The request failed with status ${status} and no message. Check PETSTORE_URL and any proxy in between.`;

const toContent = (lines: readonly string[]): ToolResult['content'] => lines.map((text) => ({ type: 'text', text }));

/** Turns an API response into a tool result. A refusal becomes a tool error, which the agent can read and correct. */
export const toToolResult = async (response: Response): Promise<ToolResult> => {
  const text = await response.text();
  const retryAfter = response.headers.get('retry-after');
  if (!response.ok && response.status !== 304) {
    const advice = retryAfter ? [`Retry in ${retryAfter} seconds.`] : [];
    return { content: toContent([text || bareRefusal(response), ...advice]), isError: true };
  }
  const shown = text || (response.ok ? 'Done.' : 'Not modified since your version.');
  const structuredContent = readObject(text);
  return {
    content: toContent([shown, ...notesOf(response)]),
    ...(structuredContent ? { structuredContent } : {}),
  };
};
