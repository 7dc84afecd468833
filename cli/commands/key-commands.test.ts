import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { parseJson } from '../../src/kernel/json.ts';
import { NO_TERMINAL, runCommand } from '../../test/no-terminal.ts';
import { ADMIN_KEY, type Service, startService } from '../../test/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const environment = (key = ADMIN_KEY) => ({ PETSTORE_URL: service.url(''), PETSTORE_API_KEY: key });

const run = (command: string) => runCommand(command.split(' '), environment());

const runJson = async (command: string): Promise<any> => {
  const { exitCode, out = '', err } = await run(`${command} --json`);
  if (exitCode !== 0) throw new Error(err);
  return parseJson(out);
};

describe('keys list, get, update, rotate, revoke, unban and me', () => {
  const issue = () => runJson('keys create --name desk --plan pro');

  test('show all keys as columns, or as unchanged JSON', async () => {
    const { id, last4 } = await issue();
    const { exitCode, out = '' } = await run('keys list --limit 100');
    const [names = '', ...rows] = out.split('\n');
    const { body } = await service.get('/v1/keys?limit=1');
    expect([exitCode, names.split(/ +/)]).toEqual([0, Object.keys(body[0])]);
    const row = rows.find((line) => line.startsWith(`${id}  `));
    expect(row).toMatch(
      / desk +pro +perMinute=300 perDay=10000 pets=100000 +pets:read pets:write orders:read orders:write +1 +ps_live_ /,
    );
    expect(row).toMatch(new RegExp(` ${last4} +\\S+Z( +-)+$`));
    expect(await runJson('keys list --limit 100')).toEqual((await service.get('/v1/keys?limit=100')).body);
  });

  test('show the cursor of the next page', async () => {
    await issue();
    const { err = '' } = await run('keys list --limit 1 --json');
    const [, cursor] = /^next page: (--cursor \S+)$/.exec(err) ?? [];
    expect(await runJson(`keys list --limit 1 ${cursor}`)).toEqual(
      (await service.get('/v1/keys?limit=2')).body.slice(1),
    );
  });

  test('show one key, with one line per field', async () => {
    const { id, key } = await issue();
    const { out = '' } = await run(`keys get ${id}`);
    expect(out).toMatch(new RegExp(`^id +${id}$`, 'm'));
    expect(out).toMatch(/^revokedAt +-$/m);
    expect(out).not.toContain(key);
    expect(await runJson(`keys get ${id}`)).toEqual((await service.get(`/v1/keys/${id}`)).body);
  });

  test('change each field of a key', async () => {
    const { id } = await issue();
    const expiresAt = '2030-01-31T12:00:00.000Z';
    const flags = '--plan enterprise --per-minute 5 --per-day 50 --scopes pets:read,ops:read';
    expect(await runJson(`keys update ${id} --name till ${flags} --expires-at ${expiresAt}`)).toMatchObject({
      ...{ id, name: 'till', plan: 'enterprise', scopes: ['pets:read', 'ops:read'], expiresAt },
      limits: { perMinute: 5, perDay: 50 },
    });
    expect(await runJson(`keys update ${id} --plan free`)).toMatchObject({ name: 'till', plan: 'free', expiresAt });
  });

  test('remove the expiry of a key', async () => {
    const { id } = await runJson('keys create --name desk --plan pro --expires-at 2030-01-31T12:00:00.000Z');
    expect(await runJson(`keys update ${id} --expires-at null`)).toMatchObject({ expiresAt: null });
  });

  test('change nothing when no flag is given', async () => {
    const { id } = await issue();
    expect(await runJson(`keys update ${id}`)).toEqual((await service.get(`/v1/keys/${id}`)).body);
  });

  test.each([
    ['', 401],
    [' --grace-seconds 60', 200],
  ])('rotate a key%s: the new secret works, and the old one gets %d', async (flags, status) => {
    const { id, key } = await issue();
    const rotated = await runJson(`keys rotate ${id}${flags}`);
    expect((await service.get('/v1/pets', { key: rotated.key })).status).toBe(200);
    expect((await service.get('/v1/pets', { key })).status).toBe(status);
  });

  test('show the new secret of a rotated key even without --json', async () => {
    const { out = '' } = await run(`keys rotate ${(await issue()).id}`);
    expect(out).toMatch(/^key +ps_live_[0-9A-Za-z]{36}$/m);
  });

  test('confirm that a key is revoked, but print nothing with --json', async () => {
    const { id, key } = await issue();
    expect(await run(`keys revoke ${id}`)).toEqual({ exitCode: 0, out: `Key revoked: ${id}` });
    expect((await service.get('/v1/pets', { key })).status).toBe(401);
    expect(await run(`keys revoke ${id} --json`)).toEqual({ exitCode: 0 });
  });

  test('mark a result that contains a secret, and warn a person that it is shown only once', async () => {
    const create = 'keys create --name desk --plan pro';
    const typed = (command: string) => runCommand(command.split(' '), environment(), { ...NO_TERMINAL, columns: 80 });
    const { id } = await issue();
    for (const command of [create, `${create} --json`, `keys rotate ${id}`]) {
      expect(await run(command)).toMatchObject({ exitCode: 0, isSecret: true });
      expect((await run(command)).err).toBeUndefined();
    }
    expect(await run('webhooks create --url https://shop.example/hooks')).toMatchObject({ isSecret: true });
    expect((await run(`keys get ${id}`)).isSecret).toBeUndefined();
    expect((await typed(create)).err).toBe('The key is shown only once: save it now.');
    expect((await typed(`${create} --json`)).err).toBeUndefined();
  });

  test('lift the ban of a key', async () => {
    const { id, key } = await runJson('keys create --name desk --plan enterprise --per-minute 1 --per-day 9');
    for (let sent = 0; sent < 2; sent += 1) await service.get('/v1/pets', { key });
    expect((await runJson(`keys get ${id}`)).bannedUntil).toBeString();
    expect((await runJson(`keys unban ${id}`)).bannedUntil).toBeNull();
    expect((await runJson(`keys get ${id}`)).bannedUntil).toBeNull();
  });

  test('show the calling key, whatever its scopes', async () => {
    const { key, ...shown } = await runJson('keys create --name desk --plan pro --scopes pets:read');
    const { out = '' } = await runCommand(['keys', 'me', '--json'], environment(key));
    expect(parseJson(out)).toEqual(shown);
  });

  test('write refusals to standard error, with exit code 1', async () => {
    const { id } = await runJson('keys me');
    const refused: [string, string][] = [
      [`keys revoke ${id}`, 'admin_key'],
      [`keys rotate ${id}`, 'admin_key'],
      [`keys update ${id} --name x`, 'admin_key'],
      ['keys get key_000000000000000000000000', 'not_found'],
      [`keys rotate ${(await issue()).id} --grace-seconds soon`, '--grace-seconds must be '],
      [`keys update ${(await issue()).id} --per-minute 5 --per-day 5`, '--per-minute and --per-day '],
    ];
    for (const [command, response] of refused) {
      const { exitCode, err } = await run(command);
      expect(exitCode).toBe(1);
      expect(err).toMatch(/^petstore: .*\nTry: petstore keys .*$/);
      expect(err).toContain(response);
    }
  });
});
