import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../check/root.ts';
import { noteBackup } from '../src/storage/sqlite/backup/online-backup.ts';
import { lacks, serverOfRun } from './needs.ts';
import { createPostgresDatabase } from './postgres-database.ts';
import { type Prometheus, startPrometheus } from './servers/prometheus.ts';
import { freePort } from './servers/server-process.ts';
import { ADMIN_KEY, type Service, startService } from './service.ts';
import { waitFor } from './wait-for.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const ALERTS = read('deploy/prometheus/alerts.yml');
const names = [...ALERTS.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name as string);

const configOf = (ports: readonly number[]): string =>
  read('deploy/prometheus/prometheus.yml')
    .replaceAll('15s', '1s')
    .replace(/targets: .*/, `targets: [${ports.map((port) => `'127.0.0.1:${port}'`).join(', ')}]`);

const queries: [query: string][] = JSON.parse(read('deploy/grafana/petstore.json')).panels.flatMap(
  ({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => [expr]),
);

test('there are alerts, and a dashboard with queries', () => {
  expect(names.length).toBeGreaterThan(5);
  expect(queries.length).toBeGreaterThan(10);
});

describe('alerts', () => {
  test.each(names)('%s has a troubleshooting section', (name) => {
    expect(ALERTS).toContain(`runbook: 'docs/operating/troubleshoot.md#${name.toLowerCase()}'`);
    expect(read('docs/operating/troubleshoot.md')).toContain(`\n### ${name}\n`);
  });

  test('match the troubleshooting sections exactly', () => {
    const sections = [...read('docs/operating/troubleshoot.md').matchAll(/^### (Petstore\w+)$/gm)].map(
      ([, name]) => name as string,
    );
    expect(sections).toEqual(names);
  });
});

const redis = serverOfRun('TEST_REDIS_URL');
const hasServers = !lacks('Prometheus') && redis !== undefined && serverOfRun('TEST_DATABASE_URL') !== undefined;

describe.skipIf(!hasServers)('a Prometheus that scrapes two instances', () => {
  let [onSqlite, onPostgres]: Service[] = [];
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
  let prometheus: Prometheus;
  beforeAll(async () => {
    database = await createPostgresDatabase('production');
    const shared = { DATABASE_URL: database.url, REDIS_URL: redis ?? '' };
    const allowed = { PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' };
    [onSqlite, onPostgres] = [
      await startService({ environment: { ...allowed, PORT: String(await freePort()) } }),
      await startService({ environment: shared }),
    ];
    const ports = [onSqlite.port, onPostgres.port];
    noteBackup(onSqlite.place, onSqlite.clock());
    prometheus = await startPrometheus({
      'prometheus.yml': configOf(ports),
      'alerts.yml': ALERTS.replaceAll(/^ +for: .*\n/gm, ''),
      'petstore.key': ADMIN_KEY,
    });
  });
  afterAll(async () => {
    await prometheus?.remove();
    await onSqlite?.stop();
    await onPostgres?.stop();
    await database?.drop();
  });

  const use = async (service: Service) => {
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    await service.get('/v1/nowhere');
    await service.runJobs();
  };

  test('finds both, with a valid configuration and no alert', async () => {
    await waitFor(
      'both instances are up',
      () => prometheus.targets(),
      (healths) => healths.length === 2 && healths.every((health) => health === 'up'),
    );
    expect(await prometheus.check('config', 'prometheus.yml')).toContain(`SUCCESS: ${names.length} rules found`);
    // Ignores alerts about memory and speed, because the services run in the same process as earlier tests. Waits,
    // because an alert about a failed scrape stays active until the next scrape succeeds.
    const ofMachine = ['PetstoreMemory', 'PetstoreSlow'];
    await waitFor(
      'no alert fires',
      async () => (await prometheus.firing()).filter((name) => !ofMachine.includes(name)),
      (names) => names.length === 0,
    );
  });

  test.each(queries)('has data for the dashboard query %s', async (query) => {
    await waitFor('the query has data', async () => {
      for (const service of [onSqlite, onPostgres]) await use(service as Service);
      return (await prometheus.count(query.replaceAll('$__rate_interval', '1m'))) > 0;
    });
  });

  test('fires an alert when one is down', async () => {
    await onSqlite?.stop();
    onSqlite = undefined;
    await waitFor('the alert fires', async () => (await prometheus.firing()).includes('PetstoreDown'));
  });
});
