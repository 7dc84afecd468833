import { findChromium } from './browser/chromium.ts';
import { findPgbouncer } from './servers/pgbouncer.ts';
import { findPostgres } from './servers/postgres.ts';
import { findPrometheus } from './servers/prometheus.ts';
import { findRedis } from './servers/redis.ts';

/** Debian's Flask package works only with Debian's own Python, which may not be the first Python on the PATH. */
export const findFlask = (): string | undefined =>
  ['python3', '/usr/bin/python3'].find(
    (python) => Bun.which(python) && Bun.spawnSync([python, '-c', 'import flask'], { stderr: 'ignore' }).success,
  );

export const NEEDS = [
  { name: 'Chromium', tests: 'the pages in a browser', isInstalled: () => findChromium() !== undefined },
  { name: 'openssl', tests: 'the certificates of receivers', isInstalled: () => Bun.which('openssl') !== null },
  { name: 'script', tests: 'the start on a terminal', isInstalled: () => Bun.which('script') !== null },
  { name: 'zsh', tests: 'completion in zsh', isInstalled: () => Bun.which('zsh') !== null },
  { name: 'fish', tests: 'completion in fish', isInstalled: () => Bun.which('fish') !== null },
  {
    name: 'gcc',
    tests: 'disks that fail or are slow',
    isInstalled: () => (Bun.which('gcc') ?? Bun.which('cc')) !== null,
  },
  { name: 'PostgreSQL', tests: 'the PostgreSQL engine', isInstalled: () => findPostgres() !== undefined },
  {
    name: 'PgBouncer',
    tests: 'the HTTP interface through a pooler',
    isInstalled: () => findPgbouncer() !== undefined,
  },
  { name: 'Prometheus', tests: 'the alerts and the dashboard', isInstalled: () => findPrometheus() !== undefined },
  { name: 'Redis', tests: 'the Redis engine', isInstalled: () => findRedis() !== undefined },
  { name: 'Java', tests: 'generated clients in Java, Go and Python', isInstalled: () => Bun.which('javac') !== null },
  {
    name: 'Go',
    tests: 'a generated client and a webhook receiver in Go',
    isInstalled: () => Bun.which('go') !== null,
  },
  { name: 'pip', tests: 'generated clients in Java, Go and Python', isInstalled: () => Bun.which('pip3') !== null },
  { name: 'Python', tests: 'a webhook receiver in Python', isInstalled: () => Bun.which('python3') !== null },
  { name: 'Flask', tests: 'a webhook receiver in Flask', isInstalled: () => findFlask() !== undefined },
] as const;

export type Need = (typeof NEEDS)[number]['name'];

export const lacks = (name: Need): boolean => {
  const need = NEEDS.find((it) => it.name === name);
  if (need?.isInstalled()) return false;
  if (!process.env.TEST_RUN)
    console.warn(`${name} is not installed: tests that need it are skipped. Install it with npm run services:install`);
  return true;
};

export const serverOfRun = (variable: 'TEST_DATABASE_URL' | 'TEST_REDIS_URL'): string | undefined => {
  const url = process.env[variable] || undefined;
  if (!url)
    console.warn(`${variable} is not set: tests that need it are skipped. \`npm test -- <file>\` starts a server.`);
  return url;
};
