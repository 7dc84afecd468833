import { readClientConfig } from '../config.ts';
import type { Contract } from '../kernel/contract.ts';
import { parseJson } from '../kernel/json.ts';
import { inOneLine } from '../kernel/log.ts';
import { COMMANDS, commandOptions, toJsonValue } from './command.ts';
import { BadUsage, readArguments } from './read-arguments.ts';
import { showTable } from './table.ts';
import { visible } from './visible.ts';

/** How a command ended, and what to print where. */
export type CommandResult = { exitCode: number; out?: string; err?: string };

const REFUSED = 1;
/** The service answers within seconds or not at all. */
const PATIENCE_MS = 60_000;
const VISIBLE = /^[\x21-\x7e]+$/;

type CommandRequest = { path: string; query: URLSearchParams; body: Record<string, unknown> | undefined };
type ReadResponse = { status: number; ok: boolean; text: string; link: string };

const place = (body: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) body[name] = value;
  else {
    body[name] ??= {};
    place(body[name] as Record<string, unknown>, rest, value);
  }
};

/** A dot or two would lead to another path, encoded or not. */
const pathPart = (text: string): string => {
  if (text === '.' || text === '..') throw new BadUsage(`"${text}" is no id`);
  return encodeURIComponent(text);
};

/** The request that the arguments spell. What is wrong with its values is for the service to say. */
const readRequest = (contract: Contract, args: readonly string[]): CommandRequest & { json: boolean } => {
  const options = commandOptions(contract);
  const { values, switches, positions } = readArguments(args, {
    flags: options.map(({ flag }) => flag),
    switches: ['json'],
    positions: Object.keys(contract.input.path ?? {}),
  });
  const path = contract.path.replaceAll(/\{\w+\}/g, () => pathPart(positions.shift() ?? ''));
  const request: CommandRequest = { path, query: new URLSearchParams(), body: contract.input.body && {} };
  for (const option of options) {
    const text = values.get(option.flag);
    if (text === undefined) continue;
    if (option.place === 'query') request.query.set(option.path[0] as string, text);
    else place(request.body as Record<string, unknown>, option.path, toJsonValue(option, text));
  }
  return { ...request, json: switches.has('json') };
};

const readKey = (key: string | undefined): string => {
  if (key === undefined) throw new BadUsage('set PETSTORE_API_KEY (or PETSTORE_ADMIN_KEY) to a key of the service');
  if (!VISIBLE.test(key)) throw new BadUsage('the key holds characters that no key has');
  return key;
};

const ask = async (
  url: string,
  key: string,
  method: string,
  { path, query, body }: CommandRequest,
): Promise<ReadResponse> => {
  const headers: Record<string, string> = { Authorization: `Bearer ${key}` };
  if (body) headers['Content-Type'] = 'application/json';
  const response = await fetch(`${url}/v1${path}${query.size > 0 ? `?${query}` : ''}`, {
    method,
    headers,
    // A redirect could carry the key elsewhere.
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { status, ok } = response;
  return { status, ok, text: await response.text(), link: response.headers.get('link') ?? '' };
};

const readable = (text: string): object | undefined => {
  try {
    return parseJson(text) as object;
  } catch {
    return undefined;
  }
};

/** Where the list goes on, in the words of the command line. */
const nextPage = (link: string): { err?: string } => {
  const [, cursor] = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(link) ?? [];
  return cursor ? { err: visible(`more with --cursor ${cursor}`) } : {};
};

/** Calls one operation of a running service over HTTP, as any other client would. */
export const runCommand = async (
  args: readonly string[],
  environment: Record<string, string | undefined>,
): Promise<CommandResult> => {
  const name = args.slice(0, 2).join(' ');
  const contract = COMMANDS.get(name);
  if (!contract) throw new BadUsage(`there is no command "${name}"`);
  const { json, ...request } = readRequest(contract, args.slice(2));
  const { url, key } = readClientConfig(environment);
  const secret = readKey(key);

  const response = await ask(url, secret, contract.method, request).catch(() => undefined);
  if (!response) {
    return {
      exitCode: REFUSED,
      err: `petstore: cannot reach ${url}; is the service running? (PETSTORE_URL says where)`,
    };
  }
  if (response.ok && response.text === '') return { exitCode: 0 };
  const body = readable(response.text) as { code?: string; message?: string } | undefined;
  if (response.ok && body) {
    return { exitCode: 0, out: json ? inOneLine(response.text) : showTable(body), ...nextPage(response.link) };
  }
  if (body?.code) return { exitCode: REFUSED, err: visible(`petstore: ${body.code}: ${body.message}`) };
  return {
    exitCode: REFUSED,
    err: `petstore: what answers at ${url} is no petstore service (status ${response.status})`,
  };
};
