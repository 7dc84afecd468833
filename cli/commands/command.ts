import { z } from 'zod';
import { CONTRACTS } from '../../src/contracts.ts';
import { type Contract, METHODS } from '../../src/kernel/contract.ts';
import { PAGE_PARAMETERS } from '../../src/kernel/page.ts';
import { type Flag, flagsOf, type RequestFlag, readSchema, sentences } from '../args/flag.ts';

type Position = { name: string; meaning: string; example: string; choices?: readonly string[] };

export type Command = {
  words: string;
  summary: string;
  description?: string;
  scope?: string;
  positions: readonly Position[];
  flags: readonly Flag[];
  shared: readonly Flag[];
  example: string;
};

export type OperationCommand = Command & { contract: Contract; flags: readonly RequestFlag[] };

export const OPERATIONS: ReadonlyMap<string, Contract> = new Map(
  CONTRACTS.filter(({ stream }) => !stream).map((contract) => [contract.command, contract]),
);

export const CONNECTION_FLAGS: readonly Flag[] = [
  {
    flag: 'url',
    value: 'address',
    meaning: 'Address of the service. Overrides PETSTORE_URL and the profile.',
    example: 'http://127.0.0.1:8080',
  },
  { flag: 'key-file', value: 'file', meaning: 'File that contains the key; - reads the key from standard input.' },
  {
    flag: 'profile',
    value: 'name',
    meaning: 'Use the service and the key that `petstore login` stored under this name.',
  },
];

const LIST_FLAGS: readonly Flag[] = [
  { flag: 'ndjson', meaning: 'Print one JSON object per line.' },
  { flag: 'columns', value: 'a,b', meaning: 'Show only these fields, in this order.' },
  { flag: 'wide', meaning: 'Show all columns, even if the terminal is too narrow.' },
];

export const isDestructive = ({ method, command }: Contract): boolean =>
  method === 'DELETE' || command === 'sandbox reset';

export const isList = ({ answer }: Contract): boolean => answer.body?._zod.def.type === 'array';

const OWN_WORDS: Record<string, string> = {
  sort: 'Sorts by id, or by name and then id. Default: by name if --name is set, otherwise by id. Beta.',
  cursor: 'Where the page starts: the cursor printed after the previous page.',
};

const sayPet = (text: string): string =>
  text.replaceAll(/\b(a|A)n animal\b/g, '$1 pet').replaceAll(/\banimal(s?)\b/g, 'pet$1');

const ownWords = ({ flag, place, nullable, meaning }: RequestFlag, { method, command }: Contract): string => {
  const isShadowing = CONNECTION_FLAGS.some((one) => one.flag === flag);
  return sentences(
    sayPet(place === 'query' ? (OWN_WORDS[flag] ?? meaning) : meaning),
    nullable && method === 'PATCH' ? 'Use null to remove the value' : undefined,
    isShadowing
      ? `To choose the service, put its address before the command: petstore --${flag} … ${command}`
      : undefined,
  );
};

const operationFlags = (contract: Contract): RequestFlag[] => {
  const { input, paged } = contract;
  return [
    ...flagsOf('query', z.object({ ...input.query, ...(paged ? PAGE_PARAMETERS : {}) })),
    ...(input.body ? flagsOf('body', input.body) : []),
  ].map((flag) => ({ ...flag, meaning: ownWords(flag, contract) }));
};

const sharedFlags = (contract: Contract, own: readonly RequestFlag[]): Flag[] =>
  [
    ...(contract.paged ? [{ flag: 'all', meaning: 'Fetch all pages.' }] : []),
    ...(isDestructive(contract) ? [{ flag: 'yes', meaning: 'On a terminal: do not ask for confirmation.' }] : []),
    { flag: 'json', meaning: 'Print the response as JSON, unchanged.' },
    ...(isList(contract) ? LIST_FLAGS : []),
    ...CONNECTION_FLAGS,
  ].filter(({ flag }) => own.every((other) => other.flag !== flag));

const positionsOf = (contract: Contract): Position[] => {
  const { root, resolve } = readSchema(z.object(contract.input.path ?? {}), 'input');
  return Object.entries(root.properties ?? {}).map(([name, given]) => {
    const { description = '', examples: [example] = [], pattern } = resolve(given);
    const [, prefix] = /^\^([a-z]+_)/.exec(pattern ?? '') ?? [];
    return { name, meaning: description, example: String(example ?? (prefix ? `${prefix}…` : '17')) };
  });
};

const quote = (text: string): string => (/^[\w@%+=:,./…-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

const valueAt = (body: unknown, path: readonly string[]): unknown =>
  path.reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], body);

const exampleFlags = ({ input }: Contract, flags: readonly RequestFlag[]): [flag: string, text: string][] => {
  const [body] = (input.body?.meta()?.examples ?? []) as unknown[];
  if (body === undefined) {
    const filter = flags.find(({ choices, default: standard }) => choices && standard === undefined);
    return filter ? [[filter.flag, filter.choices?.[0] as string]] : [];
  }
  return flags.flatMap(({ flag, path, kind }): [string, string][] => {
    const value = valueAt(body, path);
    if (value === undefined) return [];
    if (kind === 'json') return [[flag, JSON.stringify(value)]];
    return [[flag, Array.isArray(value) ? value.join(',') : String(value)]];
  });
};

// Matches sentences that help texts leave out: sentences about HTTP, and sentences that announce the removal of an
// operation. For a removal, `describe` adds its own sentence with the date.
const OF_HTTP = new RegExp(
  String.raw`^This operation will be removed|\b(Link|ETag|If-Match|If-None-Match|Location|Idempotency-Key)\b|\b(${METHODS.join('|')}) /`,
);

const describe = ({ description, deprecation }: Contract): string => {
  const said = description.split(/(?<=[.!?]) (?=[A-Z`])/).filter((sentence) => !OF_HTTP.test(sentence));
  const successor =
    deprecation && CONTRACTS.find(({ method, path }) => method === 'GET' && path === deprecation.successor);
  const removed = deprecation?.sunset.toISOString().slice(0, '2030-12-05'.length);
  return sentences(
    ...said.map(sayPet),
    removed && `Deprecated: will be removed on ${removed}${successor ? `; use petstore ${successor.command}` : ''}`,
  );
};

export const describeOperation = (contract: Contract): OperationCommand => {
  const flags = operationFlags(contract);
  const positions = positionsOf(contract);
  const example = [
    ...positions.map((position) => quote(position.example)),
    ...exampleFlags(contract, flags).flatMap(([flag, text]) => [`--${flag}`, quote(text)]),
  ];
  return {
    contract,
    words: contract.command,
    summary: sayPet(contract.summary),
    description: describe(contract),
    scope: contract.scope,
    positions,
    flags,
    shared: sharedFlags(contract, flags),
    example: ['petstore', contract.command, ...example].join(' '),
  };
};
