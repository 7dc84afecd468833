import type { Contract } from '../../src/kernel/contract.ts';

export type SampleRequest = {
  contract: Contract;
  path: Readonly<Record<string, unknown>>;
  body?: { type: string; value: unknown } | undefined;
};

const BASE = '$PETSTORE_URL';
const KEY = '$API_KEY';

const inShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const spaced = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${spaced(item)}`);
  return `{${fields.join(', ')}}`;
};

const filledPath = ({ contract, path }: SampleRequest): string =>
  contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));

const curl = (request: SampleRequest): string => {
  const { contract, body } = request;
  const method = contract.method === 'GET' ? '' : `-X ${contract.method} `;
  return [
    `curl ${contract.stream ? '-N ' : ''}${method}"${BASE}/v1${filledPath(request)}"`,
    `-H "Authorization: Bearer ${KEY}"`,
    ...(body ? [`-H "Content-Type: ${body.type}"`, `-d ${inShell(spaced(body.value))}`] : []),
  ].join(' \\\n  ');
};

const literal = (value: unknown): string => {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = Object.entries(value).map(([name, item]) => `${name}: ${literal(item)}`);
  return inner.length > 0 ? `{ ${inner.join(', ')} }` : '{}';
};

const camel = (words: string): string => words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const client = ({ contract, path, body }: SampleRequest): string => {
  const [group = '', verb = ''] = contract.command.split(' ').map(camel);
  const given = [...Object.values(path).map(literal), ...(body ? [literal(body.value)] : [])];
  const call = `petstore.${group}.${verb}(${given.join(', ')})`;
  const use =
    contract.paged || contract.stream
      ? `for await (const each of ${call}) {\n  console.log(each);\n}`
      : `${contract.answer.body ? 'const result = ' : ''}await ${call};`;
  return [
    "import { Petstore } from 'petstore-client';",
    '',
    `const petstore = new Petstore({ key: process.env.API_KEY, baseUrl: '${BASE}/v1' });`,
    use,
  ].join('\n');
};

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

const flags = (value: object): string[] =>
  Object.entries(value).flatMap(([name, item]) => {
    if (!isPlain(item) && !Array.isArray(item)) return flags(item as object);
    const text = Array.isArray(item) ? item.join(',') : String(item);
    return [`--${kebab(name)} ${/^[\w:.,/-]+$/.test(text) ? text : inShell(text)}`];
  });

const terminal = ({ contract, path, body }: SampleRequest): string =>
  ['petstore', contract.command, ...Object.values(path).map(String), ...flags((body?.value ?? {}) as object)].join(' ');

const hasCommand = ({ contract, body }: SampleRequest): boolean =>
  !contract.stream && Object.values(body?.value ?? {}).every((item) => !Array.isArray(item) || item.every(isPlain));

export const samplesOf = (request: SampleRequest): { way: string; title: string; text: string }[] => [
  { way: 'curl', title: 'curl', text: curl(request) },
  { way: 'client', title: 'TypeScript', text: client(request) },
  ...(hasCommand(request) ? [{ way: 'terminal', title: 'Terminal', text: terminal(request) }] : []),
];
