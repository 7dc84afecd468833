import { findCommand } from '../../cli/commands/commands.ts';
import type { Contract } from '../../src/kernel/contract.ts';

export type SampleRequest = {
  contract: Contract;
  path: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  body?: { type: string; value: unknown } | undefined;
};

export type Sample = { way: string; title: string; text: string };

const BASE = '$PETSTORE_URL';
const KEY = '$API_KEY';

/** Maximum line length. The narrowest sample column shows about this many characters. */
const MAX_COLUMNS = 52;

const inShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const filledPath = ({ contract, path, query = {} }: SampleRequest): string => {
  const filled = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const asked = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return asked.size > 0 ? `${filled}?${asked}` : filled;
};

type Notation = { name(text: string): string; text(text: string): string; open: string; close: string };

const JSON_NOTATION: Notation = { name: JSON.stringify, text: JSON.stringify, open: '{', close: '}' };
const CODE_NOTATION: Notation = {
  name: (text) => text,
  text: (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  open: '{ ',
  close: ' }',
};

const breakLines = (open: string, items: readonly string[], close: string, end: string): string => {
  const lines = items.map((item) => `  ${item.replaceAll('\n', '\n  ')}`);
  return `${open.trim()}\n${lines.join(',\n')}${end}\n${close.trim()}`;
};

const literal = (value: unknown, notation: Notation, columns: number, indent = 0): string => {
  if (typeof value === 'string') return notation.text(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const entries: [string, unknown][] = isList ? value.map((item) => ['', item]) : Object.entries(value);
  const [open, close] = isList ? ['[', ']'] : [notation.open, notation.close];
  const write = (width: number) =>
    entries.map(
      ([name, item]) => `${isList ? '' : `${notation.name(name)}: `}${literal(item, notation, width, indent + 2)}`,
    );
  const line = `${open}${write(Infinity).join(', ')}${close}`;
  if (entries.length === 0) return `${open.trim()}${close.trim()}`;
  return line.length <= columns
    ? line
    : breakLines(open, write(MAX_COLUMNS - indent - 2), close, notation === CODE_NOTATION ? ',' : '');
};

const curl = (request: SampleRequest): string => {
  const { contract, body } = request;
  const method = contract.method === 'GET' ? '' : ` -X ${contract.method}`;
  return [
    `curl${contract.stream ? ' -N' : ''}${method}`,
    `"${BASE}/v1${filledPath(request)}"`,
    `-H "Authorization: Bearer ${KEY}"`,
    ...(body
      ? [
          `-H "Content-Type: ${body.type}"`,
          `-d ${inShell(literal(body.value, JSON_NOTATION, MAX_COLUMNS).replaceAll('\n', '\n  '))}`,
        ]
      : []),
  ].join(' \\\n  ');
};

const camel = (words: string): string => words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const client = ({ contract, path, query, body }: SampleRequest): string => {
  const [group = '', verb = ''] = contract.command.split(' ').map(camel);
  const last = body?.value ?? (query && Object.keys(query).length > 0 ? query : undefined);
  const given = [...Object.values(path), ...(last === undefined ? [] : [last])];
  const isLoop = contract.paged || contract.stream;
  const before = isLoop ? 'for await (const each of ' : `${contract.answer.body ? 'const result = ' : ''}await `;
  const width = MAX_COLUMNS - `${before}petstore.${group}.${verb}(`.length;
  const values = given.map((value) => literal(value, CODE_NOTATION, width)).join(', ');
  const call = `${before}petstore.${group}.${verb}(${values})`;
  const use = isLoop ? `${call}) {\n  console.log(each);\n}` : `${call};`;
  return [
    "import { Petstore } from 'petstore-client';",
    '',
    'const petstore = new Petstore({',
    '  key: process.env.API_KEY,',
    `  baseUrl: '${BASE}/v1',`,
    '});',
    use,
  ].join('\n');
};

/** Breaks a long command before its flags, but never inside quotes. */
const breakCommand = (line: string): string =>
  line.length <= MAX_COLUMNS ? line : line.replaceAll(/'[^']*'| (?=--)/g, (part) => (part === ' ' ? ' \\\n  ' : part));

const terminal = ({ contract }: SampleRequest): string => {
  const command = findCommand(contract.stream ? 'events follow' : contract.command);
  if (!command) throw new Error(`the command line has no command for ${contract.id}`);
  return [`export PETSTORE_URL="${BASE}"`, `export PETSTORE_API_KEY="${KEY}"`, breakCommand(command.example)].join(
    '\n',
  );
};

export const samplesOf = (request: SampleRequest): Sample[] => [
  { way: 'curl', title: 'curl', text: curl(request) },
  { way: 'client', title: 'TypeScript', text: client(request) },
  { way: 'terminal', title: 'Command line', text: terminal(request) },
];
