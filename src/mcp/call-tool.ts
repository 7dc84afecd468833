import type { Place, Tool } from './tool.ts';

/** A request to the API, with what a path holds already in its place. */
export type ApiRequest = {
  tool: Tool;
  params: Record<string, string>;
  /** Below `/v1`, with its query. */
  path: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
};

/** What a tool answers: the body of the answer, as text and, where it is an object, as it is. */
export type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
};

type Arguments = Record<string, unknown>;

/** Lists in a query stand with commas. What no parameter can be is spelled too, for the service to refuse. */
const spell = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(spell).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** Whether there is an integer in it that a reader has rounded, or the next one would. */
const isRounded = (value: unknown): boolean => {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isRounded);
  return typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value));
};

/** What no request can carry in this place. The rest is for the service to judge, in its own words. */
const PLACE_FAULTS: Partial<Record<Place, (text: string) => string | false>> = {
  // A dot or two would lead to another path, encoded or not.
  path: (text) => /^\.{0,2}$/.test(text) && 'must be an id',
  header: (text) => !/^[\x20-\x7e]*$/.test(text) && 'must be visible ASCII characters',
};

/** A server takes 16 KiB of path, query and headers together. Beyond that it answers without a body. */
const MOST_OUTSIDE_BODY = 8192;

const isTooLong = (text: string): boolean =>
  text.length > MOST_OUTSIDE_BODY || encodeURIComponent(text.toWellFormed()).length > MOST_OUTSIDE_BODY;

/** What is wrong with the arguments before anybody looks at them. */
export const faultOf = ({ places }: Tool, given: Arguments): string | undefined => {
  for (const [name, place] of places) {
    const { [name]: value = place === 'path' ? '' : undefined } = given;
    if (value === undefined) continue;
    if (isRounded(value)) return `${name} is beyond 2^53, where agents round integers: use the HTTP API for it.`;
    if (place === 'body') continue;
    const text = spell(value);
    if (isTooLong(text)) return `${name} is too long: send at most ${MOST_OUTSIDE_BODY} bytes, percent-encoded.`;
    const fault = PLACE_FAULTS[place]?.(text);
    if (fault) return `${name} ${fault}.`;
  }
  return undefined;
};

/** The request that the arguments spell, if they have no fault. */
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

/** What an agent has to know beside the body: where a list goes on, and the version to guard a change with. */
const notesOf = ({ headers }: Response): string[] => {
  const [, cursor] = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  const etag = headers.get('etag');
  return [
    ...(cursor ? [`There is more: call again with the same arguments and cursor ${cursor}`] : []),
    ...(etag ? [`ETag: ${etag}`] : []),
  ];
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An integer that JavaScript would round is told as text alone. */
const MAY_BE_ROUNDED = /\d{16}/;

const readObject = (text: string): Record<string, unknown> | undefined => {
  if (MAY_BE_ROUNDED.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const NOT_MODIFIED = 304;

/** A server or a proxy that cannot read a request answers with a status alone. */
const bareRefusal = ({ status }: Response): string =>
  status === 413 || status === 431
    ? `payload_too_large: the arguments are too long for one request (status ${status}). Send less, or several requests.`
    : `The request was refused with status ${status}, without a reason. Check PETSTORE_URL and any proxy in between.`;

/** The answer of the API in the words of the protocol. A refusal is an error of the tool, which the agent can read and mend. */
export const toToolResult = async (response: Response): Promise<ToolResult> => {
  const text = await response.text();
  const retryAfter = response.headers.get('retry-after');
  if (!response.ok && response.status !== NOT_MODIFIED) {
    const reason = text || bareRefusal(response);
    const told = retryAfter ? [reason, `Try again in ${retryAfter} seconds.`] : [reason];
    return { content: told.map((line) => ({ type: 'text', text: line })), isError: true };
  }
  const structuredContent = readObject(text);
  return {
    content: [text || (response.ok ? 'Done.' : 'It is as you know it.'), ...notesOf(response)].map((line) => ({
      type: 'text',
      text: line,
    })),
    ...(structuredContent ? { structuredContent } : {}),
  };
};
