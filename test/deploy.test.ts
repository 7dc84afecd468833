import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { YAML } from 'bun';
import { readConfig, VARIABLES } from '../src/config.ts';

const ROOT = join(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const COMPOSE_FILE = 'deploy/compose.yaml';

const GIVEN = { POSTGRES_PASSWORD: 'a-password', PETSTORE_ADMIN_KEY: 'an-admin-key-for-the-tests' };

const settings = (environment: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_, variable, fallback) =>
        variable in GIVEN ? GIVEN[variable as keyof typeof GIVEN] : fallback,
      ),
    ]),
  );

const composeCommand = () =>
  [['docker', 'compose'], ['docker-compose']].find(
    ([program = '', ...rest]) =>
      Bun.which(program) && Bun.spawnSync([program, ...rest, 'version'], { stderr: 'ignore' }).success,
  );

describe('the image', () => {
  const dockerfile = read('Dockerfile');

  test('contains only the program file and its licences, built from a clean install', () => {
    const [made = '', image = ''] = dockerfile.split(/^FROM .*$/m).slice(1);
    expect(made).toMatch(/npm ci\n.*npm run build/s);
    expect([...image.matchAll(/^COPY .*$/gm)].map(([line]) => line.split(' ').slice(-2))).toEqual([
      ['/app/dist/petstore', '/usr/local/bin/petstore'],
      ['/app/dist/petstore.licenses.txt', '/usr/local/share/licenses/petstore.txt'],
      ['/data', '/data'],
    ]);
  });

  test('runs as the user nobody', () => {
    expect(dockerfile).toContain('\nUSER 65534:65534\n');
  });

  test('sets only settings that exist', () => {
    const [, line = ''] = /^ENV (.*)$/m.exec(dockerfile) ?? [];
    const names = line.split(' ').map((pair) => pair.split('=')[0] as string);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(VARIABLES).toHaveProperty(name);
  });
});

describe('the systemd unit', () => {
  const unit = read('deploy/petstore.service');

  test('starts the program with valid settings, and stores data in its state directory', () => {
    expect(unit).toContain('\nExecStart=/usr/local/bin/petstore serve\n');
    const given = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
    const { DATABASE_URL } = readConfig(Object.fromEntries(given));
    expect(DATABASE_URL).toEqual({ engine: 'sqlite', path: '/var/lib/petstore/petstore.db' });
    expect(unit).toContain('\nStateDirectory=petstore\n');
  });

  test('allows the service to list the addresses of its machine', () => {
    const [, families = ''] = /^RestrictAddressFamilies=(.*)$/m.exec(unit) ?? [];
    expect(families.split(' ').sort()).toEqual(['AF_INET', 'AF_INET6', 'AF_NETLINK', 'AF_UNIX']);
  });

  test('is valid for systemd, if installed', () => {
    if (!Bun.which('systemd-analyze')) return;
    const { exitCode, stderr } = Bun.spawnSync(['systemd-analyze', 'verify', 'deploy/petstore.service'], { cwd: ROOT });
    const said = stderr
      .toString()
      .split('\n')
      .filter((line) => !/is not executable|No such file/.test(line));
    expect({ said: said.join('\n').trim(), known: exitCode <= 1 }).toEqual({ said: '', known: true });
  });
});

describe('the deployment with two instances', () => {
  const { services } = YAML.parse(read(COMPOSE_FILE)) as { services: Record<string, any> };
  const instances = Object.entries(services).filter(([name]) => name.startsWith('petstore'));

  test('gives both instances the same valid settings', () => {
    expect(instances).toHaveLength(2);
    for (const [, { environment }] of instances) {
      const config = readConfig(settings(environment));
      expect(config.DATABASE_URL).toEqual({
        engine: 'postgres',
        url: 'postgres://petstore:a-password@postgres:5432/petstore',
      });
      expect(config.REDIS_URL).toEqual({ nodes: [{ host: 'redis', port: 6379 }], db: 0 });
      for (const name of Object.keys(environment)) expect(VARIABLES).toHaveProperty(name);
    }
  });

  test('lists every instance in the proxy configuration', () => {
    const upstream = [...read('deploy/nginx.conf').matchAll(/^\s*server (\S+):8080/gm)].map(([, name]) => name);
    expect(upstream).toEqual(instances.map(([name]) => name));
  });

  test('is valid for Docker Compose, if installed', () => {
    const command = composeCommand();
    if (!command) return;
    const { success, stderr } = Bun.spawnSync([...command, '-f', COMPOSE_FILE, 'config'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', ...GIVEN },
    });
    expect(stderr.toString()).toBe('');
    expect(success).toBe(true);
  });
});
