import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../build/compile.ts';
import { lockedPackage } from '../build/lock.ts';
import { nameOf, packagesOf } from '../build/packages.ts';
import { licenseIds, RUNTIME_PARTS } from '../build/runtime-parts.ts';
import { renderDocs } from '../generate/reference/site.ts';
import { VERSION } from '../src/version.ts';
import { ADMIN_KEY } from './admin-key.ts';
import { createCaller } from './caller.ts';
import { readDocument } from './documents.ts';
import { interfaceSuite } from './interface.suite.ts';
import { createWorkbench } from './program.ts';
import { readLinkOrEmpty } from './read-link.ts';
import { waitFor } from './wait-for.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const NOBODY = '65534';
const INSTALL = 'docs/operating/install.md';

let file: string;
let modules: string[];
let licenses: string;
beforeAll(async () => {
  const directory = bench.directory();
  chmodSync(directory, 0o755);
  file = join(directory, 'petstore');
  ({ modules, licenses } = await compile({ outfile: file, commit: 'abc123' }));
});

const command = (...args: string[]): string[] => {
  const setpriv = process.getuid?.() === 0 && Bun.which('setpriv');
  return [...(setpriv ? [setpriv, `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []), file, ...args];
};

const start = (args: readonly string[] = [], environment: Record<string, string> = {}) => {
  const directory = bench.directory();
  chmodSync(directory, 0o777);
  const bare = { PATH: '', HOME: '', PETSTORE_ADMIN_KEY: ADMIN_KEY };
  return {
    directory,
    ...bench.start({ directory, environment: { ...bare, ...environment }, command: command(...args) }),
  };
};

const startService = async () => {
  const program = start();
  const origin = await program.origin();
  return { ...program, ...createCaller((path) => `${origin}${path}`), origin, stop: program.kill };
};

describe('the single-file program', () => {
  test('prints its version and commit', async () => {
    const { exitCode, out } = await start(['--version']).ended();
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: `${VERSION} (abc123)\n` });
  });

  test('has the size that the installation page states, within 5 MB', () => {
    const [, stated] = /in a single file of about (\d+) MB \(Linux x64\)/.exec(readDocument(INSTALL)) ?? [];
    const megabytes = Bun.file(file).size / 1e6;
    const isMeasured = process.platform === 'linux' && process.arch === 'x64';
    const difference = isMeasured ? Math.abs(megabytes - Number(stated)) : 0;
    if (difference > 5) throw new Error(`write "about ${Math.round(megabytes)} MB" in ${INSTALL}, not ${stated}`);
    expect(Number(stated)).toBeGreaterThan(0);
  });

  test('prints the licences of all its packages and of all parts of the runtime', async () => {
    const { exitCode, out, err } = await start(['licenses']).ended();
    expect({ exitCode, out, err }).toEqual({ exitCode: 0, out: `${licenses}\n`, err: '' });
    const packages = packagesOf(modules);
    expect(packages.length).toBeGreaterThan(30);
    expect(packages.filter((place) => !out.includes(`\n${nameOf(place)} ${lockedPackage(place).version} (`))).toEqual(
      [],
    );
    expect(RUNTIME_PARTS.filter(({ name, license }) => !(out.includes(`  ${name}`) && out.includes(license)))).toEqual(
      [],
    );
    expect(out.match(/Permission is hereby granted/g)?.length).toBeGreaterThan(20);
    const ids = new Set(RUNTIME_PARTS.flatMap(({ license }) => licenseIds(license)));
    expect(ids.size).toBeGreaterThan(10);
    expect([...ids].filter((id) => !out.includes(`\n${id}, for the parts of the runtime under it\n\n`))).toEqual([]);
    for (const line of ['GNU LIBRARY GENERAL PUBLIC LICENSE', 'Apache License', 'UNICODE LICENSE V3']) {
      expect(out).toContain(line);
    }
  });

  test('runs commands without any other file', async () => {
    const { origin } = await startService();
    const made = await start(['keys', 'create', '--name', 'till', '--plan', 'free'], { PETSTORE_URL: origin }).ended();
    expect(made).toMatchObject({ exitCode: 0, err: '' });
    const [key] = /ps_live_\w+/.exec(made.out) ?? [];
    const listed = await start(['pets', 'list', '--json'], {
      PETSTORE_URL: origin,
      PETSTORE_API_KEY: key as string,
    }).ended();
    expect(listed).toMatchObject({ exitCode: 0, out: '[]\n' });
  });

  test('imports pets, and runs doctor', async () => {
    const { origin, directory } = await startService();
    const file = join(directory, 'animals.csv');
    writeFileSync(file, 'name,categoryId\nRex,1\nMia,2\n', { mode: 0o644 });
    const imported = await start(['pets', 'import', file], { PETSTORE_URL: origin }).ended();
    expect(`${imported.out}${imported.err}`).toContain('2 pets added');
    const database = { DATABASE_URL: `sqlite:${join(directory, 'data', 'petstore.db')}` };
    const { exitCode, out } = await start(['doctor'], database).ended();
    expect(out).toMatch(/^ok +database .* is intact/m);
    expect(exitCode).toBe(0);
  });

  test('makes scheduled backups while a service runs', async () => {
    const { origin, directory } = await startService();
    expect(origin).toStartWith('http:');
    const environment = { DATABASE_URL: `sqlite:${join(directory, 'data', 'petstore.db')}` };
    const folder = join(directory, 'backups');
    const repeated = start(['backup', folder, '--every', '1h'], environment);
    const [, made = ''] = await waitFor('a backup is made', () => /^(\S+\.db): intact/m.exec(repeated.written.out));
    repeated.signal('SIGTERM');
    expect(await repeated.ended()).toMatchObject({ exitCode: 0, err: '' });
    const checked = await start(['restore', made, '--dry-run'], environment).ended();
    expect(checked).toMatchObject({ exitCode: 0, out: expect.stringContaining(': intact; production, 1 store') });
  });

  test('serves the reference page with all its assets', async () => {
    const service = await startService();
    const { text } = await service.get('/docs');
    expect(text).toContain('id="guide-webhooks"');
    const assets = [...text.matchAll(/(?:src|href)="(docs\/[^"#]+)"/g)].map(([, path]) => path);
    expect(assets.length).toBeGreaterThan(3);
    for (const path of new Set(assets)) {
      const asset = await service.get(`/${path}`);
      expect({ path, status: asset.status }).toEqual({ path, status: 200 });
    }
    expect((await service.get('/openapi.json')).body.info.version).toBe(VERSION);
  });

  test('contains generated pages, but not the code that generates them', async () => {
    expect(modules.filter((path) => path.startsWith('generate/'))).toEqual([]);
    expect(modules).toContain('src/http/pages/site.ts');
    const { text } = await (await startService()).get('/docs', { headers: { 'Accept-Encoding': 'br' } });
    const rendered = renderDocs('production').get('/docs');
    expect(text).toBe((await rendered?.()) as string);
  });

  test('has the thread that checkpoints the WAL', async () => {
    const { child, post } = await startService();
    const open = `/proc/${child.pid}/fd`;
    const connections = () =>
      readdirSync(open).filter((fd) => readLinkOrEmpty(join(open, fd)).endsWith('/petstore.db')).length;
    const before = connections();
    const pet = { name: 'x'.repeat(255), categoryId: 1 };
    await waitFor('the thread opens its connection', async () => {
      await Promise.all(Array.from({ length: 500 }, () => post('/v1/pets', pet)));
      return connections() > before || undefined;
    });
  });
});

describe('the single-file program implements the interface', () => interfaceSuite(startService));
