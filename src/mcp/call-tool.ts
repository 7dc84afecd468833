import type { Tool } from './tool.ts';

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

/** Lists in a query stand with commas. */
const spell = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

const isRounded = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

/** What is wrong with the arguments before anybody looks at them: the protocol's own reader rounds large integers. */
export const faultOf = (given: Arguments): string | undefined => {
  const [name] = Object.entries(given).find(([, value]) => isRounded(value)) ?? [];
  return name && `${name} is beyond 2^53, where integers are rounded on their way here: use the HTTP API for it.`;
};

/** The request that the arguments spell. What is wrong with their values is for the service to say. */
export const toApiRequest = (tool: Tool, given: Arguments): ApiRequest => {
  const { contract, places } = tool;
  const of = (place: string): [string, unknown][] =>
    Object.entries(given).filter(([name, value]) => places.get(name) === place && value !== undefined);
  const params = Object.fromEntries(of('path').map(([name, value]) => [name, spell(value)]));
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

/** The answer of the API in the words of the protocol. A refusal is an error of the tool, which the agent can read and mend. */
export const toToolResult = async (response: Response): Promise<ToolResult> => {
  const text = await response.text();
  const retryAfter = response.headers.get('retry-after');
  if (!response.ok) {
    const told = retryAfter ? [text, `Try again in ${retryAfter} seconds.`] : [text];
    return { content: told.map((line) => ({ type: 'text', text: line })), isError: true };
  }
  const structuredContent = readObject(text);
  return {
    content: [text || 'Done.', ...notesOf(response)].map((line) => ({ type: 'text', text: line })),
    ...(structuredContent ? { structuredContent } : {}),
  };
};
