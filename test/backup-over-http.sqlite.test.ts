import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../src/config.ts';
import { createMakeBackup } from '../src/ops/backup-schedule.ts';
import { PROGRAM } from './program.ts';
import { type Service, startService } from './service.ts';
import { waitFor } from './wait-for.ts';

let service: Service;
afterEach(() => service.stop());

const list = async () => (await service.get('/v1/backups')).body;
const ended = () =>
  waitFor('the backup ends', async () => {
    const [last] = await list();
    return last.state === 'running' ? undefined : last;
  });

/** These tests make real backups. By default, a test service only pretends to make a backup. */
describe('a backup over HTTP', () => {
  const startReal = async () => {
    service = await startService({
      backUp: (signal) => createMakeBackup(readConfig({ DATABASE_URL: `sqlite:${service.place}` }), PROGRAM)(signal),
    });
    const folder = join(service.directory, 'backups');
    const run = async (...args: string[]) => {
      const env = { PATH: process.env.PATH ?? '', DATABASE_URL: `sqlite:${service.place}` };
      const child = Bun.spawn([...PROGRAM, ...args], { env, stdout: 'pipe', stderr: 'pipe' });
      const [exitCode, out] = await Promise.all([child.exited, new Response(child.stdout).text()]);
      return { exitCode, out };
    };
    return { folder, run };
  };
  test('can be restored, and is in the folder that `petstore backup` uses', async () => {
    const { folder, run } = await startReal();
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    await service.call('POST', '/v1/backups');
    const { state, file, bytes, error } = await ended();
    expect({ state, error }).toEqual({ state: 'done', error: null });
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([file]);
    expect(readFileSync(file).length).toBe(bytes);
    const { exitCode, out } = await run('restore', file, '--dry-run');
    expect([exitCode, out]).toEqual([0, expect.stringContaining('1 pet')]);
    expect(await list()).toHaveLength(1);
    expect((await run('backup', join(folder, 'other.db'))).exitCode).toBe(0);
    expect(await list()).toContainEqual(expect.objectContaining({ state: 'done', file: null, bytes: null }));
    expect(await list()).toHaveLength(2);
  });

  test('fails with the reason if its folder cannot be used', async () => {
    const { folder } = await startReal();
    writeFileSync(folder, 'a file in place of the folder');
    await service.call('POST', '/v1/backups');
    const { state, error } = await ended();
    expect([state, error]).toEqual(['failed', expect.stringContaining('cannot create')]);
  });

  test('ends with the service, and leaves no file behind', async () => {
    const { folder } = await startReal();
    await service.call('POST', '/v1/backups');
    await service.get('/v1/pets');
    service.drain();
    expect(await ended()).toMatchObject({
      state: 'failed',
      error: 'the service stopped before the backup was done',
    });
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  });

  test('gets the path and the environment, and no secrets', async () => {
    service = await startService();
    const marker = join(service.directory, 'environment');
    mkdirSync(join(service.directory, 'bin'));
    const program = join(service.directory, 'bin', 'program.ts');
    writeFileSync(program, `await Bun.write(${JSON.stringify(marker)}, JSON.stringify(process.env)); process.exit(3);`);
    const config = readConfig({ DATABASE_URL: `sqlite:${service.place}` });
    const before = { ...process.env };
    Object.assign(process.env, { PETSTORE_ADMIN_KEY: 'a-secret-of-the-service', REDIS_URL: 'redis://:hunter2@cache' });
    try {
      const made = createMakeBackup(config, [process.execPath, program])(new AbortController().signal);
      await expect(made).rejects.toThrow('exit code 3');
    } finally {
      for (const name of ['PETSTORE_ADMIN_KEY', 'REDIS_URL']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
    const text = readFileSync(marker, 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      DATABASE_URL: `sqlite:${service.place}`,
      PETSTORE_ENVIRONMENT: 'production',
    });
    expect(text).not.toMatch(/a-secret-of-the-service|hunter2/);
  });
});
