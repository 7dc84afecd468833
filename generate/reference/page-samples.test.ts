import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../check/root.ts';
import { Petstore } from '../../client/src/index.ts';
import { CONTRACTS } from '../../src/contracts.ts';
import type { Contract } from '../../src/kernel/contract.ts';
import { NO_TERMINAL, runCommand } from '../../test/no-terminal.ts';
import { freshPathValues } from '../../test/operation-request.ts';
import { ADMIN_KEY, type Service, STAGING, startService } from '../../test/service.ts';
import { waitFor } from '../../test/wait-for.ts';

let service: Service;
let reference: string;
beforeAll(async () => {
  service = await startService({ environment: STAGING });
  reference = (await service.get('/docs', { key: null })).text;
  await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
});
afterAll(() => service.stop());

const unescaped = (markup: string): string =>
  markup.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

const written = ({ id }: Contract, way: string): string => {
  const start = reference.indexOf(`<section class="part operation" id="${id}"`);
  const part = reference.slice(start, reference.indexOf('<section class="part', start + 1));
  const [, text] = new RegExp(`class="sample ${way}"><code>([^<]*)</code>`).exec(part) ?? [];
  if (start < 0 || text === undefined) throw new Error(`the reference has no sample of ${id} for ${way}`);
  return unescaped(text);
};

const quoted = (id: string): string => (/^\d+$/.test(id) ? id : `'${id}'`);
const camel = (words: string): string => words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const IDS_IN: Record<string, (contract: Contract, ids: readonly string[]) => string> = {
  curl: ({ path }, ids) => ids.reduce((filled, id) => filled.replace(/\{\w+\}/, id), `/v1${path}`),
  client: ({ command }, ids) => `petstore.${camel(command.replace(' ', '.'))}(${ids.map(quoted).join(', ')}`,
  terminal: ({ command }, ids) => ['petstore', command, ...ids].join(' '),
};

const exampleIds = (contract: Contract): string[] => {
  const pattern = contract.path.replaceAll(/\{\w+\}/g, '([^/?"]+)');
  return new RegExp(`/v1${pattern}["?]`).exec(written(contract, 'curl'))?.slice(1) ?? [];
};

/** Replaces the example ids in a sample with ids that exist. */
const withRealIds = async (contract: Contract, way: string): Promise<string> => {
  const text = written(contract, way);
  if (contract.id === 'placeOrder') {
    const { body } = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    return text.replace(/(pet-?id\W+)1\b/i, `$1${body.id}`);
  }
  const example = IDS_IN[way]?.(contract, exampleIds(contract)) ?? '';
  expect(text).toContain(example);
  const realIds = await freshPathValues(service, contract);
  return text.replace(example, () => IDS_IN[way]?.(contract, realIds) ?? '');
};

/** Runs the sample in a shell in which `name` is a function that prints the given variables and its own arguments. */
const argumentsOf = (sample: string, name: string, variables = ''): string[] => {
  const script = `${name}() { printf '%s\\0' ${variables} "$@"; }\n${sample}`;
  const env = { PETSTORE_URL: service.url(''), API_KEY: ADMIN_KEY };
  const { stdout, exitCode } = Bun.spawnSync(['sh', '-euc', script], { env });
  expect(exitCode).toBe(0);
  return stdout.toString().split('\0').slice(0, -1);
};

const send = (sample: string, signal?: AbortSignal): Promise<Response> => {
  const headers = new Headers();
  const request = { url: '', method: 'GET', body: null as string | null };
  const given = argumentsOf(sample, 'curl');
  const take = () => given.shift() ?? '';
  const OPTIONS: Record<string, () => void> = {
    '-N': () => undefined,
    '-X': () => Object.assign(request, { method: take() }),
    '-d': () => Object.assign(request, { body: take() }),
    '-H': () => {
      const [name = '', value = ''] = take().split(': ');
      headers.set(name, value);
    },
  };
  while (given.length > 0) {
    const word = take();
    if (OPTIONS[word]) OPTIONS[word]();
    else request.url = word;
  }
  return fetch(request.url, { method: request.method, body: request.body, headers, ...(signal ? { signal } : {}) });
};

const AsyncFunction = (async () => undefined).constructor as new (
  ...names: string[]
) => (...given: any[]) => Promise<void>;

const runClient = async (sample: string): Promise<unknown[]> => {
  const shown: unknown[] = [];
  const [, code = ''] = /^import \{ Petstore \} from 'petstore-client';\n([\s\S]*)$/.exec(sample) ?? [];
  const process = { env: { API_KEY: ADMIN_KEY } };
  const console = { log: (each: unknown) => shown.push(each) };
  const run = new AsyncFunction('Petstore', 'process', 'console', code.replaceAll('$PETSTORE_URL', service.url('')));
  await run(Petstore, process, console);
  return shown;
};

const runTerminal = (sample: string, key = ADMIN_KEY, print: (text: string) => void = () => undefined) => {
  const variables = '"$PETSTORE_URL" "$PETSTORE_API_KEY"';
  const [url = '', given, ...args] = argumentsOf(sample, 'petstore', variables);
  expect(given).toBe(ADMIN_KEY);
  const environment = { PETSTORE_URL: url, PETSTORE_API_KEY: key };
  return runCommand(args, environment, { ...NO_TERMINAL, print: async (text) => print(text) });
};

const FINITE = CONTRACTS.filter(({ stream }) => !stream).map((contract) => [contract.id, contract] as const);
const STREAM = CONTRACTS.find(({ stream }) => stream) as Contract;

describe('the samples on the reference page work', () => {
  test.each(FINITE)('%s: curl', async (_, contract) => {
    const response = await send(await withRealIds(contract, 'curl'));
    expect({ status: response.status, text: response.ok || (await response.text()) }).toEqual({
      status: contract.answer.status,
      text: true,
    });
  });

  test.each(FINITE)('%s: TypeScript', async (_, contract) => {
    await runClient(await withRealIds(contract, 'client'));
  });

  test.each(FINITE)('%s: command line', async (_, contract) => {
    expect(await runTerminal(await withRealIds(contract, 'terminal'))).toMatchObject({ exitCode: 0 });
  });
});

test('the command on the home page works', async () => {
  const { text } = await service.get('/', { key: null });
  const [, command = ''] = /<code>(curl [^<]*)<\/code>/.exec(text) ?? [];
  expect(command).toContain(service.url(''));
  expect((await send(unescaped(command))).status).toBe(200);
});

describe('the samples of the stream', () => {
  const placeOrder = async () => {
    const { body } = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    await service.post('/v1/store/orders', { petId: body.id });
  };

  test('curl: opens the stream', async () => {
    const closing = new AbortController();
    const response = await send(written(STREAM, 'curl'), closing.signal);
    expect(response.headers.get('content-type')).toStartWith('text/event-stream');
    closing.abort();
  });

  test('TypeScript: receives events', async () => {
    let isRunning = true;
    const once = written(STREAM, 'client').replace('console.log(each);', 'console.log(each); break;');
    const shown = runClient(once).finally(() => {
      isRunning = false;
    });
    await waitFor('an event is received', async () => {
      await placeOrder();
      return !isRunning || undefined;
    });
    expect(await shown).toEqual([expect.objectContaining({ type: expect.any(String) })]);
  });

  test('command line: shows events', async () => {
    const { body: issued } = await service.post('/v1/keys', {
      ...{ name: 'laptop', plan: 'pro', storeId: 1 },
      scopes: ['events:read', 'pets:read', 'orders:read'],
    });
    let out = '';
    const ended = runTerminal(written(STREAM, 'terminal'), issued.key, (text) => {
      out += text;
    });
    await waitFor('an order is shown', async () => {
      await placeOrder();
      return out.includes('order.placed') || undefined;
    });
    await service.call('DELETE', `/v1/keys/${issued.id}`);
    expect(await ended).toMatchObject({ exitCode: 1, err: expect.stringContaining('invalid_api_key') });
  });
});

test('the TypeScript samples have no type errors', () => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-samples-'));
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
    for (const contract of CONTRACTS) writeFileSync(join(directory, `${contract.id}.ts`), written(contract, 'client'));
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: 'ESNext', module: 'Preserve', moduleResolution: 'bundler' },
      ...{ types: ['bun'], lib: ['ESNext', 'DOM'], allowImportingTsExtensions: true, skipLibCheck: true },
      paths: { 'petstore-client': [join(ROOT, 'client/src/index.ts')] },
    };
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const { stdout } = Bun.spawnSync([join(ROOT, 'node_modules/.bin/tsc'), '-p', directory]);
    expect(stdout.toString()).toBe('');
  } finally {
    rmSync(directory, { recursive: true });
  }
});
