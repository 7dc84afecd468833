import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../src/kernel/finding.ts';
import { inTime } from './in-time.ts';
import { serverOfRun } from './needs.ts';
import { PATIENT_MS } from './patience.ts';
import { createEmptyDatabase, POSTGRES_SERVER } from './postgres-database.ts';
import { createWorkbench, PROGRAM } from './program.ts';

const REDIS_SERVER = serverOfRun('TEST_REDIS_URL');

const bench = createWorkbench();
afterAll(bench.clear);

const start = (directory: string, args: readonly string[], environment: Record<string, string> = {}) =>
  bench.start({ directory, environment, command: [...PROGRAM, ...args] }).ended();

const diagnose = async (directory: string, environment: Record<string, string> = {}) => {
  const { exitCode, out } = await start(directory, ['doctor', '--json'], environment);
  const findings = JSON.parse(out) as Finding[];
  return { exitCode, findings, of: (part: string) => findings.filter((finding) => finding.part === part) };
};

const makeDatabase = async () => {
  const directory = bench.directory();
  await start(directory, ['migrate']);
  return { directory, file: join(directory, 'data', 'petstore.db') };
};

describe('petstore doctor', () => {
  test('reports a healthy installation with one line per part, and does not change the database', async () => {
    const { directory, file } = await makeDatabase();
    const before = readFileSync(file);
    const { exitCode, out, err } = await start(directory, ['doctor']);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(out).toMatch(/^ok +settings +valid; set: PORT$/m);
    expect(out).toMatch(/^ok +database +data\/petstore\.db is intact, 1 MB$/m);
    for (const part of ['schema', 'access', 'folder', 'Redis']) expect(out).toMatch(new RegExp(`^ok +${part} `, 'm'));
    for (const part of ['disk', 'open files', 'memory'])
      expect(out).toMatch(new RegExp(`^(ok|warning) +${part} `, 'm'));
    expect(readFileSync(file)).toEqual(before);
  });

  test('reports before the first start that there is no database yet', async () => {
    const { exitCode, of } = await diagnose(bench.directory());
    expect(exitCode).toBe(0);
    expect(of('database')[0]?.found).toContain('the service creates it at the first start');
  });

  test('reports a database that is missing and must not be created', async () => {
    const { exitCode, of } = await diagnose(bench.directory(), { PETSTORE_CREATE: 'false' });
    expect(exitCode).toBe(1);
    expect(of('database')).toMatchObject([
      { state: 'wrong', advice: expect.stringContaining('set PETSTORE_CREATE=true for the first start') },
    ]);
  });

  test('names every invalid setting, without its secrets', async () => {
    const given = { PETSTORE_EVENT_DAYS: '0', PETSTORE_ADMIN_KEY: 'short' };
    const { exitCode, of, findings } = await diagnose(bench.directory(), given);
    expect(exitCode).toBe(1);
    expect(of('settings').map(({ state }) => state)).toEqual(['wrong', 'wrong']);
    expect(JSON.stringify(findings)).not.toContain('short');
  });

  test('gives the advice for an unknown setting once', async () => {
    const { out } = await start(bench.directory(), ['doctor'], { PETSTORE_ZZZZZZZZZZ: '1' });
    expect(out).toMatch(/^wrong +settings +PETSTORE_ZZZZZZZZZZ is not a setting: unset it, or see docs\/config\.md$/m);
  });

  test('detects a damaged database, one from another environment, and one that other users can read', async () => {
    const { directory, file } = await makeDatabase();
    chmodSync(file, 0o644);
    const readable = await diagnose(directory);
    expect(readable.exitCode).toBe(0);
    expect(readable.of('access')).toMatchObject([{ state: 'warning', advice: expect.stringContaining('chmod 600') }]);

    const crossed = await diagnose(directory, { PETSTORE_ENVIRONMENT: 'staging' });
    expect(crossed.exitCode).toBe(1);
    expect(crossed.of('database')).toMatchObject([{ state: 'wrong', found: expect.stringContaining('production') }]);

    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, 3 * 4096));
    const damaged = await diagnose(directory);
    expect(damaged.exitCode).toBe(1);
    expect(damaged.of('database')).toMatchObject([{ state: 'wrong' }]);
  });

  test('warns if the process may open only a few files', async () => {
    const line = `ulimit -n 500; exec ${PROGRAM.map((word) => `'${word}'`).join(' ')} doctor`;
    const { out } = await bench.start({ directory: bench.directory(), command: ['sh', '-c', line] }).ended();
    expect(out).toMatch(/^warning +open files +the limit is only 500.*LimitNOFILE/m);
  });

  test('reports servers that do not answer, without their passwords', async () => {
    const { exitCode, of, findings } = await diagnose(bench.directory(), {
      DATABASE_URL: 'postgres://petstore:hunter2@127.0.0.1:1/petstore',
      REDIS_URL: 'redis://:hunter2@127.0.0.1:1',
      PETSTORE_DATABASE_TIMEOUT_MS: '1000',
    });
    expect(exitCode).toBe(1);
    expect([...of('database'), ...of('Redis')].map(({ state }) => state)).toEqual(['wrong', 'wrong']);
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });

  test('reports Sentinels that do not answer or do not know the master', async () => {
    const away = await diagnose(bench.directory(), { REDIS_URL: 'redis+sentinel://127.0.0.1:1/m' });
    expect(away).toMatchObject({ exitCode: 1 });
    expect(away.of('Redis')).toMatchObject([{ state: 'wrong', found: expect.stringContaining('cannot use m of the') }]);

    // Imitates a Sentinel that does not know the master. It answers every command with `*-1` (null).
    using sentinel = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data: (socket, bytes) => void socket.write('*-1\r\n'.repeat(String(bytes).match(/^\*/gm)?.length ?? 0)),
      },
    });
    const unknown = await diagnose(bench.directory(), { REDIS_URL: `redis+sentinel://127.0.0.1:${sentinel.port}/m` });
    expect(unknown.of('Redis')).toMatchObject([
      { state: 'wrong', found: expect.stringContaining('the Sentinels have no master named m') },
    ]);
  });

  test.skipIf(!POSTGRES_SERVER)('checks PostgreSQL: version, clock, schema, connections, durability', async () => {
    const { url, drop } = await createEmptyDatabase();
    const { exitCode, findings } = await diagnose(bench.directory(), {
      DATABASE_URL: url,
      PETSTORE_DATABASE_TIMEOUT_MS: String(PATIENT_MS),
    });
    expect(exitCode).toBe(0);
    const parts = findings.map(({ part }) => part);
    expect(parts).toEqual(expect.arrayContaining(['database', 'clock', 'schema', 'connections', 'durability']));
    const kept = await diagnose(bench.directory(), { DATABASE_URL: url, PETSTORE_CREATE: 'false' });
    expect(kept.of('schema')).toMatchObject([
      { state: 'wrong', advice: expect.stringContaining('PETSTORE_CREATE=true') },
    ]);
    await drop();
  });

  test.skipIf(!REDIS_SERVER)('reports a database number that Redis does not have', async () => {
    const { of } = await diagnose(bench.directory(), { REDIS_URL: `${new URL('/9999', REDIS_SERVER)}` });
    expect(of('Redis')).toMatchObject([{ state: 'wrong', found: expect.stringContaining('DB index is out of range') }]);
  });

  test.skipIf(!REDIS_SERVER)('checks Redis: version, latency, eviction, clock', async () => {
    await inTime(2000, async () => {
      const { of } = await diagnose(bench.directory(), { REDIS_URL: REDIS_SERVER as string });
      const said = of('Redis')
        .map(({ found }) => found)
        .join('; ');
      expect(said).toMatch(/is Redis \d.*answers in .*; evicts .*; its clock/);
    });
  });
});
