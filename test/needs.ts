import { findChromium } from './browser/chromium.ts';
import { findPostgres } from './servers/postgres.ts';
import { findPrometheus } from './servers/prometheus.ts';
import { findRedis } from './servers/redis.ts';

/** What some tests need in addition to Node and npm. If it is missing, they are skipped with a message. */
export const NEEDS = [
  { name: 'Chromium', tests: 'the pages in a browser', isHere: () => findChromium() !== undefined },
  { name: 'openssl', tests: 'the certificates of receivers', isHere: () => Bun.which('openssl') !== null },
  { name: 'script', tests: 'the start on a terminal', isHere: () => Bun.which('script') !== null },
  { name: 'zsh', tests: 'completion in zsh', isHere: () => Bun.which('zsh') !== null },
  { name: 'fish', tests: 'completion in fish', isHere: () => Bun.which('fish') !== null },
  { name: 'gcc', tests: 'disks that fail or are slow', isHere: () => (Bun.which('gcc') ?? Bun.which('cc')) !== null },
  { name: 'PostgreSQL', tests: 'the PostgreSQL engine', isHere: () => findPostgres() !== undefined },
  { name: 'Prometheus', tests: 'the alerts and the dashboard', isHere: () => findPrometheus() !== undefined },
  { name: 'Redis', tests: 'the Redis engine', isHere: () => findRedis() !== undefined },
  { name: 'Java', tests: 'generated clients in Java, Go and Python', isHere: () => Bun.which('javac') !== null },
  { name: 'Go', tests: 'a generated client in Go', isHere: () => Bun.which('go') !== null },
  { name: 'pip', tests: 'generated clients in Java, Go and Python', isHere: () => Bun.which('pip3') !== null },
] as const;

export type Need = (typeof NEEDS)[number]['name'];

/** For tests that run the programs themselves, for instance to start their own server. */
export const lacks = (name: Need): boolean => !NEEDS.find((need) => need.name === name)?.isHere();

/**
 * The URL of the run's server, for tests that can share it. A file that runs alone has none unless the variable is set,
 * and says so.
 */
export const serverOfRun = (variable: 'TEST_DATABASE_URL' | 'TEST_REDIS_URL'): string | undefined => {
  const url = process.env[variable] || undefined;
  if (!url)
    console.warn(`${variable} is not set: tests that need it are skipped. \`npm test -- <file>\` starts a server.`);
  return url;
};
