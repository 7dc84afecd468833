import { afterAll, beforeAll, expect } from 'bun:test';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../build/compile.ts';
import { VERSION } from '../src/version.ts';
import { createWorkbench, type Program, savedAdminKey } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { namesOf } from './operator.ts';
import { proof } from './proof.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const isRoot = process.getuid?.() === 0;
const PETS = namesOf(600, 'pet');
const LOCAL = { HOST: '127.0.0.1', PORT: '0' };

const [, , LAST_STAGE = ''] = readFileSync(join(import.meta.dir, '..', 'Dockerfile'), 'utf8').split(/^FROM .*$/m);
const step = (name: string): string => new RegExp(`^${name} (.*)$`, 'm').exec(LAST_STAGE)?.[1] ?? '';
const [ENTRYPOINT = ''] = JSON.parse(step('ENTRYPOINT'));
const ENVIRONMENT = Object.fromEntries(
  step('ENV')
    .split(' ')
    .map((pair) => pair.split('=')),
);
const VOLUME = step('VOLUME');
const [UID = '', GID = ''] = step('USER').split(':');

/** The root file system is read-only, except for the volume. It contains `/proc`, but not `/dev`. */
const ENTER = `mount --bind "$ROOT" "$ROOT" && mount --bind "$ROOT${VOLUME}" "$ROOT${VOLUME}" &&
mount -o remount,ro,bind "$ROOT" && mount -t proc proc "$ROOT/proc" && exec unshare --root="$ROOT" "$@"`;

/** A folder with the same files that the first stage of the Dockerfile produces. */
let made: string;
let licenses: string;
beforeAll(async () => {
  made = bench.directory();
  for (const folder of ['app/dist', 'data']) mkdirSync(join(made, folder), { recursive: true });
  ({ licenses } = await compile({ outfile: join(made, 'app/dist/petstore'), commit: 'abc123' }));
  writeFileSync(join(made, 'app/dist/petstore.licenses.txt'), `${licenses}\n`);
});

/** Follows the last stage of the Dockerfile, but takes the libraries from this machine instead of the base image. */
const makeRoot = (): string => {
  const root = bench.directory();
  chmodSync(root, 0o755);
  mkdirSync(join(root, 'proc'));
  for (const [, owner, from = '', to = ''] of LAST_STAGE.matchAll(/^COPY .*?(?:--chown=(\d+):.* )?(\S+) (\S+)$/gm)) {
    cpSync(join(made, from), join(root, to), { recursive: true });
    if (owner && isRoot) chownSync(join(root, to), Number(owner), Number(owner));
  }
  const { stdout } = Bun.spawnSync(['ldd', join(made, 'app/dist/petstore')]);
  for (const [library] of stdout.toString().matchAll(/\/\S+/g))
    cpSync(library, join(root, library), { dereference: true });
  return root;
};

type Place = { root: string; user?: readonly string[]; namespaces?: string };

const start = ({ root, user = [], namespaces = '-mpf' }: Place, args: readonly string[], environment = {}) => {
  const outside = [
    'unshare',
    isRoot ? namespaces : `-r${namespaces.slice(1)}`,
    '--kill-child',
    'sh',
    '-c',
    ENTER,
    'sh',
  ];
  return bench.start({
    directory: root,
    environment: { ...ENVIRONMENT, ...LOCAL, HOME: VOLUME, TMPDIR: VOLUME, ...environment, ROOT: root },
    command: [...outside, ...user, `--wd=${step('WORKDIR')}`, `/usr/local/bin/${ENTRYPOINT}`, ...args],
  });
};

const run = async (place: Place, args: readonly string[], environment = {}): Promise<string> => {
  const { exitCode, out, err } = await start(place, args, environment).ended();
  if (exitCode !== 0) throw new Error(`petstore ${args.join(' ')} ended with ${exitCode}: ${out}${err}`);
  return out;
};

/** Sends the signal to process 1 of the namespace, because `unshare` does not pass it on. */
const stop = async ({ child, ended }: Program) => {
  const [inside] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
  process.kill(Number(inside), 'SIGTERM');
  expect(await ended()).toMatchObject({ exitCode: 0, out: expect.stringContaining('"event":"stopped"') });
};

const whyNot = (): string | undefined => {
  const { success, stderr } = Bun.spawnSync(['unshare', isRoot ? '-mpf' : '-rmpf', 'true']);
  return success ? undefined : `this system does not allow a separate root (${stderr.toString().trim()})`;
};

const readPages = async (origin: string): Promise<number> => {
  const read = new Set<string>();
  for (const page of ['/', '/console/', '/docs']) {
    const answer = await fetch(`${origin}${page}`);
    expect({ page, status: answer.status }).toEqual({ page, status: 200 });
    for (const [, path = ''] of (await answer.text()).matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^":]+)"/g)) {
      read.add(new URL(path, answer.url).href);
    }
  }
  for (const url of read) expect({ url, status: (await fetch(url)).status }).toEqual({ url, status: 200 });
  return read.size;
};

const tryCommands = async (place: Place, origin: string): Promise<void> => {
  await run(place, ['login', '--url', origin, '--key-file', `${VOLUME}/petstore.db.admin-key`]);
  expect(await run(place, ['keys', 'create', '--name', 'till', '--plan', 'free'])).toContain('ps_live_');
  await run(place, ['pets', 'create', '--name', 'Rex', '--category-id', '1']);
  expect(await run(place, ['pets', 'list'])).toContain('Rex');
  writeFileSync(join(place.root, VOLUME, 'pets.csv'), `name,categoryId\n${PETS.map((name) => `${name},2\n`).join('')}`);
  await run(place, ['pets', 'import', `${VOLUME}/pets.csv`]);
  await run(place, ['backup', `${VOLUME}/backup.db`]);
  await run(place, ['backups', 'create']);
  const state = async () => JSON.parse(await run(place, ['backups', 'list', '--json']))[0];
  expect(await waitFor('the backup ends', state, ({ state }) => state !== 'running')).toMatchObject({ error: null });
};

const exportPets = async (place: Place, origin: string): Promise<string> => {
  const environment = { PETSTORE_URL: origin, PETSTORE_ADMIN_KEY: savedAdminKey(place.root) };
  return run(place, ['pets', 'export', '--format', 'csv'], environment);
};

proof(
  'a root without Node, Bun, a shell, `/dev` or `/etc`: the file serves its pages; login, keys, pets, import, export, backup, restore and doctor work',
  async ({ figure, open }) => {
    const reason = whyNot();
    if (reason) return open(reason);
    const place = { root: makeRoot() };
    expect(await run(place, ['--version'])).toBe(`${VERSION} (abc123)\n`);
    expect(await run(place, ['licenses'])).toBe(`${licenses}\n`);
    const service = start(place, []);
    const origin = await service.origin();
    const assets = await readPages(origin);
    await tryCommands(place, origin);
    const pets = await exportPets(place, origin);
    expect(pets.match(/,(Rex|pet \d{4}),/g)).toHaveLength(PETS.length + 1);
    await stop(service);

    const restored = { DATABASE_URL: `sqlite:${VOLUME}/restored.db` };
    await run(place, ['restore', `${VOLUME}/backup.db`], restored);
    expect(await run(place, ['doctor'], restored)).toMatch(/^ok +database .*restored\.db is intact/m);
    const again = start(place, [], restored);
    expect(await exportPets(place, await again.origin())).toBe(pets);
    await stop(again);
    const files = [...new Bun.Glob('{usr,lib*}/**').scanSync(place.root)].length;
    figure(
      `${PETS.length + 1} pets exported, and the same pets after a restore; ${assets} assets served; ${files} files in the root`,
    );
  },
);

proof('the same root: the demo starts, or says that it needs a folder', async ({ figure, open }) => {
  const reason = whyNot();
  if (reason) return open(reason);
  const place = { root: makeRoot() };
  const demo = start(place, ['serve', '--demo']);
  const origin = await demo.origin();
  const [key] = await waitFor('the demo prints its key', () => /ps_test_\w+/.exec(demo.written.err));
  const environment = { PETSTORE_URL: origin, PETSTORE_API_KEY: key };
  const pets = JSON.parse(await run(place, ['pets', 'list', '--json'], environment)).length;
  expect(pets).toBeGreaterThan(5);
  await stop(demo);
  const left = readdirSync(join(place.root, VOLUME));
  const { exitCode, err } = await start(place, ['serve', '--demo'], { TMPDIR: '/none' }).ended();
  expect({ left, exitCode, err }).toMatchObject({
    left: [],
    exitCode: 1,
    err: expect.stringMatching(/; set TMPDIR to .*\n$/),
  });
  figure(`${pets} sample pets listed; 0 files left behind`);
});

proof(
  "the image's steps without Docker: a user without a name, a read-only root and process 1",
  async ({ figure, open }) => {
    const reason = isRoot ? whyNot() : 'only root can become another user';
    if (reason) return open(reason);
    const place = { root: makeRoot(), user: [`--setuid=${UID}`, `--setgid=${GID}`] };
    const isolated = start({ ...place, namespaces: '-mpfn' }, [], ENVIRONMENT);
    expect(await isolated.origin()).toEndWith(`:${ENVIRONMENT.PORT}`);
    await stop(isolated);

    const service = start(place, []);
    const { port } = new URL(await service.origin());
    const [, check = ''] = / CMD (.*)$/.exec(step('HEALTHCHECK')) ?? [];
    const isHealthy = () => Bun.spawnSync(['sh', '-c', check], { env: { ...process.env, PORT: port } }).success;
    const canCheck = Bun.which('wget') !== null;
    expect(isHealthy()).toBe(canCheck);
    expect(await run(place, ['doctor'])).toMatch(new RegExp(`^ok +owner +${UID} can open all files`, 'm'));
    const refused = await start(place, ['backup', '/backup.db']).ended();
    expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining('/backup.db') });
    await stop(service);
    expect(isHealthy()).toBe(false);
    figure(
      `health check: ${canCheck ? 'healthy while the service runs, unhealthy afterwards' : 'not run, because wget is missing'}`,
    );
  },
);
