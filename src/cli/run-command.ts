import { parseArgs } from 'node:util';
import { readClientConfig } from '../config.ts';
import type { Contract } from '../kernel/contract.ts';
import { parseJson } from '../kernel/json.ts';
import { COMMANDS, commandOptions, toJsonValue } from './command.ts';
import { showTable } from './table.ts';

const REFUSED = 1;
const BAD_USAGE = 2;

type Request = { path: string; query: URLSearchParams; body: Record<string, unknown> | undefined };

const place = (body: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) body[name] = value;
  else {
    body[name] ??= {};
    place(body[name] as Record<string, unknown>, rest, value);
  }
};

/** The request that the arguments spell. What is wrong with its values is for the service to say. */
const readRequest = (contract: Contract, args: readonly string[]): Request & { json: boolean } => {
  const options = commandOptions(contract);
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...Object.fromEntries(options.map(({ flag }) => [flag, { type: 'string' as const }])),
      json: { type: 'boolean' as const },
    },
  });
  const given = [...positionals];
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(given.shift() ?? `<${name}>`));
  const request: Request = { path, query: new URLSearchParams(), body: contract.input.body && {} };
  for (const option of options) {
    const text = (values as Record<string, string | undefined>)[option.flag];
    if (text === undefined) continue;
    if (option.place === 'query') request.query.set(option.path[0] as string, text);
    else place(request.body as Record<string, unknown>, option.path, toJsonValue(option.kind, text));
  }
  return { ...request, json: (values as { json?: boolean }).json ?? false };
};

const show = (text: string, asJson: boolean): void => {
  if (text === '') return;
  console.log(asJson ? text : showTable(parseJson(text)));
};

/** Calls one operation of a running service over HTTP, as any other client would. Returns the exit code. */
export const runCommand = async (args: readonly string[], environment: Record<string, string | undefined>) => {
  const contract = COMMANDS.get(args.slice(0, 2).join(' '));
  if (!contract) {
    console.error(`petstore: there is no command "${args.slice(0, 2).join(' ')}"\nTry: petstore --help`);
    return BAD_USAGE;
  }
  const { path, query, body, json } = readRequest(contract, args.slice(2));
  const { url, key } = readClientConfig(environment);
  if (key === undefined) {
    console.error('petstore: set PETSTORE_API_KEY (or PETSTORE_ADMIN_KEY) to a key of the service');
    return BAD_USAGE;
  }
  const search = query.size > 0 ? `?${query}` : '';
  const headers: Record<string, string> = { Authorization: `Bearer ${key}` };
  if (body) headers['Content-Type'] = 'application/json';
  const answer = await fetch(`${url}/v1${path}${search}`, {
    method: contract.method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => undefined);
  if (!answer) {
    console.error(`petstore: cannot reach ${url}; is the service running? (PETSTORE_URL says where)`);
    return REFUSED;
  }
  const text = await answer.text();
  if (answer.ok) {
    show(text, json);
    return 0;
  }
  const { code, message } = JSON.parse(text) as { code: string; message: string };
  console.error(`petstore: ${code}: ${message}`);
  return REFUSED;
};
