import { randomBytes } from 'node:crypto';
import type { Environment } from '../src/kernel/contract.ts';
import { openPostgres } from '../src/storage/postgres/database.ts';
import { DISTRIBUTE } from './citus-layout.ts';
import { PATIENT_MS } from './patience.ts';
import { createClusterDatabase } from './servers/citus.ts';
import { createDatabase, dropDatabase, query, RUN } from './servers/databases.ts';

/** Number of shards per table. It is small, because each test creates its own database with all its shards. */
const FEW_SHARDS = 4;

/** Returns the addresses of all servers. The coordinator's address comes first. */
export const readCitusNodes = async (url: string): Promise<string[]> => {
  const workers = await query(url, 'SELECT nodename, nodeport FROM pg_dist_node WHERE groupid > 0 ORDER BY nodeid');
  const hosts = [new URL(url).host, ...workers.map(({ nodename, nodeport }) => `${nodename}:${nodeport}`)];
  return hosts.map((host) => Object.assign(new URL(url), { host, pathname: '/postgres' }).href);
};

/**
 * Creates the service's tables in a new cluster database, and distributes them as described in docs/operating/scale.md.
 */
export const createDistributed = async (
  nodes: readonly string[],
  name: string,
  environment: Environment,
  shards = FEW_SHARDS,
) => {
  const url = await createClusterDatabase(nodes, name);
  const wish = { url, environment, timeoutMs: PATIENT_MS, connections: 4, bind: () => undefined };
  await (await openPostgres(wish)).close();
  await query(url, `SET citus.shard_count TO ${shards}; ${DISTRIBUTE}`);
  return { url, drop: () => dropEverywhere(nodes, url) };
};

const dropEverywhere = async (nodes: readonly string[], url: string): Promise<void> => {
  for (const node of nodes) await dropDatabase(node, url);
};

const templates = new Map<Environment, Promise<string>>();

const makeTemplate = async (nodes: readonly string[], environment: Environment): Promise<string> => {
  const name = `petstore_${RUN}_${environment}_${process.pid}`;
  await createDistributed(nodes, name, environment);
  for (const node of nodes) {
    // Citus keeps a connection to every database open, but PostgreSQL cannot copy a database that has open connections.
    await query(node, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await query(node, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  }
  return name;
};

export const createCitusDatabase = async (citus: string, environment: Environment) => {
  const nodes = await readCitusNodes(citus);
  const known = templates.get(environment) ?? makeTemplate(nodes, environment);
  templates.set(environment, known);
  const template = await known;
  const name = `test_${RUN}_${randomBytes(8).toString('hex')}`;
  const [url = ''] = await Promise.all(nodes.map((node) => createDatabase(node, name, template)));
  return { url, drop: () => dropEverywhere(nodes, url) };
};
