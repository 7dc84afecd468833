import { Database } from 'bun:sqlite';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { copyOf } from './questions.ts';
import { ROOT, type Server, start } from './servers.ts';

export type PeerWork = 'get' | 'list' | 'create';

type Kit = { directory: string; log: string; pets: number };

type Launched = { key: string; launch(): Promise<Server> };

export type Peer = {
  name: string;
  /** What the server does for each request. The results table shows this text. */
  does: string;
  works: readonly PeerWork[];
  /** Maximum number of pets for a server that cannot handle as many pets as the service. */
  mostPets?: number;
  /** True if the server sends the examples from `openapi.json`. In that case, a list may have fewer than 20 pets. */
  sendsExamples?: boolean;
  /** The service must be at least this many times as fast as this server, in requests per second. */
  atLeast?: number;
  path: { get(id: number): string; list(after: number): string; create: string };
  prepare(kit: Kit): Promise<Launched>;
};

const PEERS = join(import.meta.dir, 'peers');
const KEY = 'a-key-for-the-peers';
const ALL: readonly PeerWork[] = ['get', 'list', 'create'];
/** Timeout for `npm ci` and for `go build`, in ms. Both commands may download packages. */
const INSTALL_MS = 900_000;

type Packages = Record<'dependencies' | 'optionalDependencies', Record<string, string>>;
const { dependencies, optionalDependencies }: Packages = JSON.parse(readFileSync(join(PEERS, 'package.json'), 'utf8'));
const NODE = `node-linux-${process.arch}`;
/** The Node version for the peers. Some peers do not run on the oldest Node version that this project supports. */
export const PEER_NODE = optionalDependencies[NODE] ?? '';
const pocketBaseVersion = /pocketbase\/pocketbase v([\d.]+)/.exec(
  readFileSync(join(PEERS, 'pocketbase/go.mod'), 'utf8'),
)?.[1];

const run = (command: string[], cwd: string): string => {
  const [tool = ''] = command;
  if (!Bun.which(tool) && !existsSync(tool)) throw new Error(`${tool} is not installed`);
  const { exitCode, stdout } = Bun.spawnSync(command, { cwd, stdin: 'ignore', stderr: 'inherit', timeout: INSTALL_MS });
  if (exitCode === 0) return stdout.toString();
  // Leaves out the tool's own error message, because the message may contain host names and paths, and the results are
  // committed to the repository.
  throw new Error(`${basename(tool)} ${command[1]} failed`);
};

/**
 * Runs `prepare` only once for each folder, because several peers share its result (for example, the installed
 * packages). Does not run `prepare` again after a failure, because an installation may take minutes to fail.
 * @internal
 */
export const once = <Result>(prepare: (kit: Kit) => Result) => {
  const prepared = new Map<string, () => Result>();
  const attempt = (kit: Kit): (() => Result) => {
    try {
      const result = prepare(kit);
      return () => result;
    } catch (error) {
      return () => {
        throw error;
      };
    }
  };
  return (kit: Kit): Result => {
    const known = prepared.get(kit.directory) ?? attempt(kit);
    prepared.set(kit.directory, known);
    return known();
  };
};

/**
 * Installs the packages outside the repository. Their install scripts do not run, because no package here needs them.
 */
const install = once(({ directory }) => {
  const folder = join(directory, 'peers');
  cpSync(PEERS, folder, { recursive: true });
  // `--loglevel=error` hides a warning that some packages need a newer version of Node than the version that runs npm.
  // The warning does not matter, because the peers run on the version of Node that this command installs.
  run(['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  const node = join(folder, `node_modules/${NODE}/bin/node`);
  if (!existsSync(node)) throw new Error(`${NODE} is not installed`);
  return { folder, node };
});

const fillRows = once(({ directory, pets }) => {
  const path = join(directory, 'peers.db');
  using database = new Database(path, { create: true });
  database.run('CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT, categoryId INTEGER, status TEXT)');
  database.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
     INSERT INTO pets SELECT n, 'Animal ' || n, 1 + n % 100,
       CASE n % 3 WHEN 0 THEN 'available' WHEN 1 THEN 'pending' ELSE 'sold' END FROM numbers`,
    [pets],
  );
  database.run('CREATE INDEX pets_by_status ON pets (status, id)');
  return path;
});

const written = (name: string, program: string, runtime: 'node' | 'bun'): Peer => ({
  name,
  does: 'on disk before the response (`synchronous=FULL`); key checked; validated; no limits, events or log',
  works: ALL,
  path: {
    get: (id) => `/v1/pets/${id}`,
    list: (after) => `/v1/pets?limit=20&status=available&after=${after}`,
    create: '/v1/pets',
  },
  async prepare(kit) {
    const { folder, node } = install(kit);
    const command = [runtime === 'bun' ? process.execPath : node, program];
    const PEER_DATABASE = copyOf(fillRows(kit), program);
    const environment = { NODE_ENV: 'production', PEER_DATABASE, PEER_KEY: KEY };
    return {
      key: KEY,
      launch: () => start({ name, command, environment, probe: '/v1/pets/1', log: kit.log, root: folder }),
    };
  },
});

const buildPocketBase = once(({ directory, pets }) => {
  const program = join(directory, 'pocketbase');
  run(['go', 'build', '-o', program, '.'], join(PEERS, 'pocketbase'));
  const data = join(directory, 'pocketbase-data');
  return { program, data, key: run([program, '--dir', data, 'fill', String(pets)], directory).trim() };
});

const pocketBase = (name: string, stored: string, works: readonly PeerWork[], PEER_DURABLE: 'yes' | 'no'): Peer => ({
  name,
  does: `${stored}; user token checked; validated; request logged to a database`,
  works,
  atLeast: 10,
  path: {
    get: (id) => `/api/collections/pets/records/${String(id).padStart(15, '0')}`,
    // PocketBase itself recommends `skipTotal` for fast lists. The list filters by id instead of using page numbers,
    // because page numbers would make later pages slower than earlier ones.
    list: (after) => {
      const filter = `status='available' && id>'${String(after).padStart(15, '0')}'`;
      return `/api/collections/pets/records?perPage=20&skipTotal=1&sort=id&filter=${encodeURIComponent(filter)}`;
    },
    create: '/api/collections/pets/records',
  },
  async prepare(kit) {
    const { program, data, key } = buildPocketBase(kit);
    const own = `${data}-${PEER_DURABLE}`;
    cpSync(data, own, { recursive: true });
    const command = [program, '--dir', own, 'serve', '--http', '127.0.0.1:$PORT'];
    const environment = { PEER_DURABLE };
    return { key, launch: () => start({ name, command, environment, probe: '/api/health', log: kit.log }) };
  },
});

const jsonServer = (mostPets: number): Peer => ({
  name: `json-server ${dependencies['json-server']}`,
  does: `has only ${mostPets.toLocaleString('en')} pets, in memory; rewrites its JSON file for each create and does not sync it; no key; no validation; log line`,
  works: ALL,
  mostPets,
  path: {
    get: (id) => `/pets/${id}`,
    list: (after) => `/pets?status=available&_limit=20&_page=${1 + Math.floor(after / 60)}`,
    create: '/pets',
  },
  async prepare(kit) {
    const { folder, node } = install(kit);
    const pets = Array.from({ length: Math.min(kit.pets, mostPets) }, (_, index) => ({
      id: index + 1,
      name: `Animal ${index + 1}`,
      categoryId: 1 + ((index + 1) % 100),
      status: ['available', 'pending', 'sold'][(index + 1) % 3],
    }));
    const rows = JSON.stringify({ pets });
    const file = join(folder, 'json-server.db.json');
    const command = [node, 'node_modules/json-server/lib/cli/bin.js', file, '--host', '127.0.0.1', '--port', '$PORT'];
    return {
      key: KEY,
      launch: () => {
        // json-server becomes slower with each created pet, so every launch starts with the same rows.
        writeFileSync(file, rows);
        return start({ name: 'json-server', command, environment: {}, probe: '/pets/1', log: kit.log, root: folder });
      },
    };
  },
});

const PRISM: Peer = {
  name: `Prism ${dependencies['@stoplight/prism-cli']}`,
  does: 'stores nothing, and sends the examples from `openapi.json`; checks only that there is a key; validates; log lines',
  works: ALL,
  sendsExamples: true,
  path: { get: (id) => `/pets/${id}`, list: () => '/pets?limit=20&status=available', create: '/pets' },
  async prepare(kit) {
    const { folder, node } = install(kit);
    const program = 'node_modules/@stoplight/prism-cli/dist/index.js';
    const document = join(ROOT, 'openapi.json');
    const command = [node, program, 'mock', document, '--host', '127.0.0.1', '--port', '$PORT'];
    return {
      key: KEY,
      launch: () => start({ name: 'Prism', command, environment: {}, probe: '/pets/1', log: kit.log, root: folder }),
    };
  },
};

export const ALL_PEERS: readonly Peer[] = [
  pocketBase(
    `PocketBase ${pocketBaseVersion}`,
    'default settings: not synced before the response (`synchronous=NORMAL`)',
    ALL,
    'no',
  ),
  pocketBase(
    `PocketBase ${pocketBaseVersion}, synced`,
    'on disk before the response (`synchronous=FULL`)',
    ['create'],
    'yes',
  ),
  written(`Express ${dependencies.express} with SQLite`, 'express.mjs', 'node'),
  written(`Fastify ${dependencies.fastify} with SQLite`, 'fastify.mjs', 'node'),
  written(`Hono ${dependencies.hono} on Bun with SQLite`, 'hono.mjs', 'bun'),
  jsonServer(1000),
  PRISM,
];
