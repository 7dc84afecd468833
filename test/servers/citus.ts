import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, query } from './databases.ts';
import { findPostgres, type Postgres, startPostgres } from './postgres.ts';
import { runTool } from './server-process.ts';

const WORKERS = 2;

const SETTINGS = {
  // Citus must come first.
  shared_preload_libraries: 'citus, pg_stat_statements',
  // The default of 8 is too low: on each node, every database needs its own maintenance process, which detects
  // deadlocks and completes interrupted commits.
  max_worker_processes: '64',
  // By default, Citus requires encryption between nodes, but these nodes have no certificates.
  'citus.node_conninfo': 'sslmode=prefer',
  'citus.local_hostname': '127.0.0.1',
  // By default, some builds of Citus send usage reports to the vendor.
  'citus.enable_statistics_collection': 'off',
};

/** Returns the reason why Citus cannot start, if any. */
export const lacksCitus = async (): Promise<string | undefined> => {
  const programs = findPostgres();
  if (!programs) return 'PostgreSQL is not installed; install it with npm run services:install';
  const libraries = (await runTool('/', [join(programs, 'pg_config'), '--pkglibdir'])).trim();
  if (existsSync(join(libraries, 'citus.so'))) return undefined;
  return `Citus is not installed in ${libraries}; run bash test/build-citus.sh <source tree of Citus>`;
};

/** Creates a database called `name` on every node. The first node is the coordinator. */
export const createClusterDatabase = async (nodes: readonly string[], name: string): Promise<string> => {
  const urls: string[] = [];
  for (const node of nodes) {
    const url = await createDatabase(node, name);
    await query(url, 'CREATE EXTENSION citus');
    urls.push(url);
  }
  const [[coordinator = '', ...workers], [url = '']] = [nodes.map((node) => new URL(node).port), urls];
  await query(url, "SELECT citus_set_coordinator_host('127.0.0.1', $1::int)", [coordinator]);
  for (const port of workers) await query(url, "SELECT citus_add_node('127.0.0.1', $1::int)", [port]);
  return url;
};

export const startCitus = async () => {
  const reason = await lacksCitus();
  if (reason) throw new Error(reason);
  const nodes: Postgres[] = [];
  const remove = async () => {
    for (const node of nodes) await node.remove();
  };
  try {
    while (nodes.length < 1 + WORKERS) nodes.push(await startPostgres({ settings: SETTINGS }));
    const servers = nodes.map(({ url }) => url);
    return { coordinator: nodes[0] as Postgres, url: await createClusterDatabase(servers, 'petstore'), remove };
  } catch (error) {
    await remove();
    throw error;
  }
};
