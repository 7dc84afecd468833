import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN_KEY } from './admin-key.ts';
import { createWorkbench, PROGRAM } from './program.ts';
import { waitFor } from './wait-for.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };

const serve = async (directory: string, scanSeconds: number) => {
  const environment = { PETSTORE_ADMIN_KEY: ADMIN_KEY, PETSTORE_SCAN_SECONDS: String(scanSeconds) };
  const program = bench.start({ directory, environment, command: [...PROGRAM, 'serve'] });
  const origin = await program.origin();
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${origin}${path}`, { headers, ...init });
    return { status: answer.status, text: await answer.text() };
  };
  const add = () => ask('/v1/pets', { method: 'POST', body: JSON.stringify({ name: 'Rex', categoryId: 1 }) });
  return { program, ask, add };
};

const logged = ({ program }: Awaited<ReturnType<typeof serve>>, event: string) =>
  program.written.out.split('\n').filter((line) => line.includes(`"${event}"`));

/** Flips a bit in an index that the service uses neither at startup nor to read pets. A second call flips it back. */
const changeByte = (path: string): void => {
  const opened = new Database(path, { readonly: true });
  const [[page]] = opened.query("SELECT rootpage FROM sqlite_schema WHERE name = 'deliveries_log'").values() as [
    [number],
  ];
  opened.close();
  const at = (page - 1) * 4096 + 3;
  const byte = (readFileSync(path)[at] as number) ^ 0x40;
  const file = openSync(path, 'r+');
  writeSync(file, Uint8Array.of(byte), 0, 1, at);
  closeSync(file);
};

describe('a service whose database file is damaged while it runs', () => {
  test('is not ready after the next scan, serves reads and refuses writes, until a scan passes', async () => {
    const directory = bench.directory();
    const file = join(directory, 'data', 'petstore.db');
    const first = await serve(directory, 86_400);
    expect((await first.add()).status).toBe(201);
    first.program.signal('SIGTERM');
    await first.program.ended();

    const service = await serve(directory, 1);
    await waitFor('a scan has passed', () => logged(service, 'database_scanned').length > 0);
    expect((await service.ask('/readyz')).status).toBe(200);
    expect((await service.ask('/metrics')).text).toContain('\npetstore_database_damaged 0\n');

    changeByte(file);
    await waitFor('the damage is found', () => logged(service, 'storage_failed').length > 0);
    expect((await service.ask('/readyz')).status).toBe(503);
    expect((await service.ask('/metrics')).text).toContain('\npetstore_database_damaged 1\n');
    expect((await service.ask('/v1/pets')).text).toContain('Rex');
    expect((await service.add()).status).toBe(503);
    expect(logged(service, 'storage_failed')).toEqual([
      expect.stringMatching(/is damaged: .*"advice":"reads continue/),
    ]);
    await service.program.kill();

    const doctor = await bench.start({ directory, command: [...PROGRAM, 'doctor'] }).ended();
    expect(doctor.exitCode).toBe(1);
    expect(doctor.out).toMatch(/^wrong +database .*is damaged: /m);
    expect(doctor.out).toMatch(/^warning +scan +the service found damage at \d{4}-/m);

    const again = await serve(directory, 86_400);
    expect((await again.ask('/readyz')).status).toBe(503);
    expect((await again.add()).status).toBe(503);
    await waitFor('the damage is found again', () => logged(again, 'storage_failed').length > 0);
    await again.program.kill();

    changeByte(file);
    const repaired = await serve(directory, 86_400);
    await waitFor('a scan has passed', () => logged(repaired, 'database_scanned').length > 0);
    expect((await repaired.ask('/readyz')).status).toBe(200);
    expect((await repaired.add()).status).toBe(201);
    expect(existsSync(`${file}.damaged`)).toBeFalse();
  });
});
