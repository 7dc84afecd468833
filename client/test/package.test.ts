import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildClient } from '../../build/client.ts';
import { ROOT } from '../../check/root.ts';
import { VERSION } from '../../src/version.ts';
import { findChromium, launchChromium } from '../../test/browser/chromium.ts';
import { ADMIN_KEY, createTestClock } from '../../test/service.ts';
import { waitFor } from '../../test/wait-for.ts';
import packageJson from '../package.json';
import * as client from '../src/index.ts';
import { startPetstore } from './client.ts';

const PATIENCE_MS = 3_600_000;
const CLIENT = join(ROOT, 'client');
const MAX_BYTES = 10 * 1024;

const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code as string);
const [tour = ''] = examples;
const source = (name: string) => readFileSync(join(CLIENT, 'test', 'projects', name), 'utf8');
const journey = source('journey.ts');

let directory: string;
let it: Awaited<ReturnType<typeof startPetstore>>;
let control: Bun.Server<undefined>;

const run = async (command: string[], cwd: string, env: Record<string, string> = {}): Promise<string> => {
  const child = Bun.spawn(command, { cwd, env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'pipe' });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}\n${out}${err}`);
  return out;
};

const install = async () => {
  const built = join(directory, 'package');
  mkdirSync(built);
  for (const name of ['package.json', 'README.md', 'LICENSE']) cpSync(join(CLIENT, name), join(built, name));
  await buildClient(join(built, 'dist'));
  await run(['npm', 'pack', '--pack-destination', directory], built);
  writeFileSync(join(directory, 'package.json'), '{ "private": true }');
  const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--cache', join(directory, 'cache')];
  await run(['npm', 'install', ...quiet, `./petstore-client-${packageJson.version}.tgz`], directory);
};

const receiveDelivery = async () => {
  let delivery: { headers: Record<string, string>; body: string } | undefined;
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      delivery = { headers: Object.fromEntries(request.headers), body: await request.text() };
      return new Response();
    },
  });
  const webhook = await it.create().webhooks.create({ url: `${receiver.url}hooks`, events: ['pet.created'] });
  await it.create().pets.create({ name: 'Rex', categoryId: 3 });
  await waitFor('a delivery', async () => {
    await it.service.runJobs();
    return delivery;
  });
  await it.create().webhooks.delete(webhook.id);
  await receiver.stop(true);
  return { secret: webhook.secret, delivery };
};

const startControl = () =>
  Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      if (request.url.endsWith('/lose-answer')) it.proxy.faults.push('lose the answer');
      if (request.url.endsWith('/cut')) it.proxy.cut();
      if (request.url.endsWith('/page'))
        return new Response('<title>Journey</title>', { headers: { 'Content-Type': 'text/html' } });
      return new Response(null, { headers: { 'Access-Control-Allow-Origin': '*' } });
    },
  });

let received: Awaited<ReturnType<typeof receiveDelivery>>;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-client-'));
  it = await startPetstore(createTestClock(new Date().toISOString()));
  control = startControl();
  await install();
  received = await receiveDelivery();
}, PATIENCE_MS);
afterAll(async () => {
  await control.stop(true);
  await it.stop();
  rmSync(directory, { recursive: true });
}, PATIENCE_MS);

const program = async (): Promise<string> => {
  const limitedKey = await it.service.issueKey({ plan: 'enterprise', limits: { perMinute: 5, perDay: 1 } });
  const place = { baseUrl: it.proxy.baseUrl, limitedKey, control: `${control.url.origin}`, ...received };
  const here = tour
    .replace('process.env.API_KEY', JSON.stringify(ADMIN_KEY))
    .replace("'http://127.0.0.1:8080/v1'", JSON.stringify(it.proxy.baseUrl));
  return `${here}\nconst place = ${JSON.stringify(place)};\n${journey}`;
};

const withoutTypes = (text: string): string => new Bun.Transpiler({ loader: 'ts' }).transformSync(text);

const project = (name: string, files: Record<string, string>): string => {
  const folder = join(directory, name);
  mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  return folder;
};

const expectArrived = (out: string) => {
  const [, response = 'null'] = /^journey (.*)$/m.exec(out) ?? [];
  expect(JSON.parse(response)).toEqual({
    refused: ['daily_quota_exceeded', 86_400_000],
    missing: ['NotFound', 'not_found'],
    made: 1,
    seen: true,
    event: 'pet.created',
    forged: true,
  });
  expect(it.proxy.seen.map(({ fault }) => fault)).toContain('lose the answer');
};

const MODULE = '{ "type": "module" }';
const STRICT = {
  compilerOptions: {
    ...{ target: 'ES2022', lib: ['ES2022', 'DOM'], module: 'nodenext', types: [], outDir: 'out' },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
  },
};

const NODE_ONLY = {
  compilerOptions: {
    ...STRICT.compilerOptions,
    ...{ lib: ['ES2023'], types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')], noEmit: true },
  },
  files: ['readme.ts'],
};

describe('the package', () => {
  test('has the version of the service, and no dependencies', () => {
    expect(packageJson.version).toBe(VERSION);
    expect(Object.keys(packageJson).filter((name) => /dependencies/i.test(name))).toEqual([]);
  });

  test('contains only the published files', async () => {
    const glob = new Bun.Glob('**/*');
    const files = [...glob.scanSync(join(directory, 'node_modules', 'petstore-client'))];
    expect(files).toContain('dist/index.js.map');
    expect(
      files.filter(
        (path) => !/^(package\.json|README\.md|LICENSE|dist\/[\w/-]+\.(js|cjs|d\.ts|d\.cts|(js|cjs)\.map))$/.test(path),
      ),
    ).toEqual([]);
  });

  test('adds at most 10 KiB to a page that uses all of it', async () => {
    const entry = join(directory, 'node_modules', 'petstore-client', 'dist', 'index.js');
    const { outputs } = await Bun.build({ entrypoints: [entry], minify: true, target: 'browser' });
    const bytes = Bun.gzipSync(await (outputs[0] as Blob).text()).length;
    expect(bytes).toBeWithin(1024, MAX_BYTES);
  });
});

describe('a program that imports and requires the package', () => {
  test.each([
    ['Node', 'node'],
    ['Bun', process.execPath],
  ])(
    'has one set of classes in %s',
    async (name, command) => {
      const main = [
        "import { createRequire } from 'node:module';",
        "import * as imported from 'petstore-client';",
        "const required = createRequire(import.meta.url)('petstore-client');",
        "const { baseUrl } = JSON.parse(process.argv[2] ?? '{}');",
        "const error = await new required.Petstore({ key: 'ps_live_x', baseUrl }).keys.me().catch((error) => error);",
        'const same = Object.keys(required).filter((name) => required[name] === imported[name]);',
        'const known = error instanceof imported.Unauthorized && error instanceof imported.PetstoreError;',
        'console.log(JSON.stringify({ known, same, exported: Object.keys(imported) }));',
      ];
      const folder = project(`classes-${name}`, { 'package.json': MODULE, 'main.js': main.join('\n') });
      const out = await run([command, 'main.js', JSON.stringify({ baseUrl: it.proxy.baseUrl })], folder);
      const { known, same, exported } = JSON.parse(out);
      expect(known).toBe(true);
      expect(same.sort()).toEqual(Object.keys(client).sort());
      expect(exported.sort()).toEqual(same);
    },
    PATIENCE_MS,
  );
});

describe('a project runs the tour of the README through a 429, a lost response, a cut stream and a webhook', () => {
  test(
    'in Node, as a module',
    async () => {
      it.reset();
      const folder = project('node', { 'package.json': MODULE, 'main.js': withoutTypes(await program()) });
      expectArrived(await run(['node', 'main.js'], folder));
    },
    PATIENCE_MS,
  );

  test(
    'in Node, with require',
    async () => {
      it.reset();
      const required = withoutTypes(await program()).replaceAll(
        /^import (\{[^}]*\}) from "petstore-client";/gm,
        'const $1 = require("petstore-client");',
      );
      const folder = project('require', { 'package.json': '{}', 'main.js': `(async () => {\n${required}\n})();` });
      expectArrived(await run(['node', 'main.js'], folder));
    },
    PATIENCE_MS,
  );

  test(
    'in TypeScript, in the strictest mode, with every example of the README',
    async () => {
      it.reset();
      const folder = project('typescript', {
        'package.json': MODULE,
        'tsconfig.json': JSON.stringify(STRICT),
        'node.json': JSON.stringify(NODE_ONLY),
        'process.d.ts': 'declare const process: { env: Record<string, string | undefined> };',
        'main.ts': await program(),
        'readme.ts': examples.join('\n'),
        'types.ts': source('types.ts'),
        'required.cts':
          "import client = require('petstore-client');\nexport const made = new client.Petstore({ key: 'k', baseUrl: 'x' });",
      });
      const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
      await run([tsc, '-p', '.'], folder);
      await run([tsc, '-p', 'node.json'], folder);
      expectArrived(await run(['node', 'out/main.js'], folder));
    },
    PATIENCE_MS,
  );

  test(
    'in Bun',
    async () => {
      it.reset();
      const folder = project('bun', { 'package.json': MODULE, 'main.ts': await program() });
      expectArrived(await run([process.execPath, 'main.ts'], folder));
    },
    PATIENCE_MS,
  );

  const chromium = findChromium();
  test.skipIf(!chromium)(
    'in a browser, from a page of another origin',
    async () => {
      it.reset();
      const folder = project('browser', { 'package.json': MODULE, 'main.ts': await program() });
      const { outputs } = await Bun.build({ entrypoints: [join(folder, 'main.ts')], target: 'browser', format: 'esm' });
      const browser = await launchChromium(chromium as string, PATIENCE_MS);
      try {
        const page = await browser.newPage();
        page.setDefaultTimeout(PATIENCE_MS);
        const { promise: over, resolve: end } = Promise.withResolvers<string>();
        page.on('console', (message) => message.text().startsWith('journey') && end(message.text()));
        page.on('pageerror', (error) => end(`journey failed: ${error.message}`));
        await page.goto(`${control.url.origin}/page`);
        await page.addScriptTag({ type: 'module', content: await (outputs[0] as Blob).text() });
        expectArrived(await over);
      } finally {
        await browser.close();
      }
    },
    PATIENCE_MS,
  );
});

describe('the README', () => {
  test(
    'has examples that work, one after another',
    async () => {
      it.reset();
      const text = examples.join('\n').replaceAll("'http://127.0.0.1:8080/v1'", JSON.stringify(it.proxy.baseUrl));
      const folder = project('readme', { 'package.json': MODULE, 'main.js': withoutTypes(text) });
      const out = await run(['node', 'main.js'], folder, { API_KEY: ADMIN_KEY });
      expect(out).toContain('sold already');
      expect(out).toContain('order.delivered');
      expect(out).toContain('verified evt_1');
      expect(out).toContain('9223372036854775807n');
      expect(out).toContain('"categoryId":9223372036854775807,');
    },
    PATIENCE_MS,
  );
});
