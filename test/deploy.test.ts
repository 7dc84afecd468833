import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { YAML } from 'bun';
import manifest from '../package.json';
import { readConfig, VARIABLES } from '../src/config.ts';

const ROOT = join(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const COMPOSE_FILE = 'deploy/compose.yaml';

const GIVEN = { POSTGRES_PASSWORD: 'a-password', PETSTORE_ADMIN_KEY: 'an-admin-key-for-the-tests' };

/** The settings of an instance, with the variables of the file filled in. */
const settings = (environment: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_, variable, fallback) =>
        variable in GIVEN ? GIVEN[variable as keyof typeof GIVEN] : fallback,
      ),
    ]),
  );

/** Docker's client as it is found here, with or without its newer spelling. */
const composeCommand = () =>
  [['docker', 'compose'], ['docker-compose']].find(
    ([program = '', ...rest]) =>
      Bun.which(program) && Bun.spawnSync([program, ...rest, 'version'], { stderr: 'ignore' }).success,
  );

describe('the image', () => {
  const dockerfile = read('Dockerfile');

  test('has the runtime that the tests use', () => {
    expect(dockerfile).toContain(`FROM oven/bun:${manifest.dependencies.bun}-`);
  });

  test('sets only settings that exist', () => {
    const [, line = ''] = /^ENV (.*)$/m.exec(dockerfile) ?? [];
    const names = line.split(' ').map((pair) => pair.split('=')[0] as string);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(VARIABLES).toHaveProperty(name);
  });

  test('starts the program as npm start does', () => {
    const [, list = ''] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? [];
    expect(`exec ${JSON.parse(list).join(' ')}`).toBe(manifest.scripts.start);
  });
});

describe('the deployment with two instances', () => {
  const { services } = YAML.parse(read(COMPOSE_FILE)) as { services: Record<string, any> };
  const instances = Object.entries(services).filter(([name]) => name.startsWith('petstore'));

  test('gives both the same settings, and the program takes them', () => {
    expect(instances).toHaveLength(2);
    for (const [, { environment }] of instances) {
      const config = readConfig(settings(environment));
      expect(config.DATABASE_URL).toEqual({
        engine: 'postgres',
        url: 'postgres://petstore:a-password@postgres:5432/petstore',
      });
      expect(config.REDIS_URL).toBe('redis://redis:6379');
      for (const name of Object.keys(environment)) expect(VARIABLES).toHaveProperty(name);
    }
  });

  test('puts the proxy before all of them', () => {
    const upstream = [...read('deploy/nginx.conf').matchAll(/^\s*server (\S+):8080/gm)].map(([, name]) => name);
    expect(upstream).toEqual(instances.map(([name]) => name));
  });

  test('is a file that Docker understands, where its client is here', () => {
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
