import { afterAll, expect } from 'bun:test';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { createWorkbench, PROGRAM } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { LONG, proof } from './proof.ts';
import { startWriters } from './writers.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const MB = 1024 * 1024;
const BALLAST_MB = 30;
const ROUNDS = LONG ? 10 : 1;
const GOES_ON = 50;

const ON_SMALL_DISK = `mount -t tmpfs -o size="$SIZE" none data || exit 1
(while :; do
  if [ -e fill ] && [ ! -e filled ]; then head -c "$BALLAST" /dev/zero > data/ballast; touch filled; fi
  if [ ! -e fill ] && [ -e filled ]; then rm data/ballast filled; fi
  sleep 0.05
done) &
exec "$@"`;

const startOnSmallDisk = async (freeMb: number) => {
  const directory = bench.directory();
  mkdirSync(join(directory, 'data'));
  writeFileSync(join(directory, 'fill'), '');
  const program = bench.start({
    directory,
    command: ['unshare', '-rm', 'sh', '-c', ON_SMALL_DISK, 'sh', ...PROGRAM],
    environment: {
      PETSTORE_ADMIN_KEY: ADMIN_KEY,
      SIZE: String((freeMb + BALLAST_MB) * MB),
      BALLAST: String(BALLAST_MB * MB),
    },
  });
  const origin = await program.origin();
  const isFilled = () => existsSync(join(directory, 'filled'));
  await waitFor('the ballast is there', isFilled);
  const authorized = { headers: { Authorization: `Bearer ${ADMIN_KEY}` } };
  return {
    origin,
    statusOf: async (path: string) => (await fetch(`${origin}${path}`, authorized)).status,
    metric: async (name: string) => {
      const text = await (await fetch(`${origin}/metrics`, authorized)).text();
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    },
    events: () => [...program.written.out.matchAll(/"event":"(?!request")(\w+)"/g)].map(([, event]) => event),
    makeRoom: () => rmSync(join(directory, 'fill')),
    takeRoom: async () => {
      writeFileSync(join(directory, 'fill'), '');
      await waitFor('the ballast is there', isFilled);
    },
    log: () => program.written.out,
  };
};

const canMount = (): boolean =>
  Bun.which('unshare') !== null &&
  Bun.spawnSync(['unshare', '-rm', 'mount', '-t', 'tmpfs', 'none', bench.directory()], { stderr: 'ignore' }).success;

type Service = Awaited<ReturnType<typeof startOnSmallDisk>>;
type Writers = ReturnType<typeof startWriters>;

const names = (writers: readonly Writers[]): string[] =>
  writers.flatMap(({ acknowledged }) => acknowledged.map(({ name }) => name)).sort();

const fillOnce = async ({ origin, statusOf, metric }: Service, before: readonly Writers[], round: number) => {
  const writers = startWriters(origin, `round ${round}, before`);
  await waitFor('writes are refused', writers.isRefused);
  await waitFor('it is not ready', async () => (await statusOf('/readyz')) === 503);
  await writers.stop();
  expect(await metric('petstore_database_up')).toBe(0);
  expect(await metric('petstore_disk_free_bytes')).toBeLessThan(MB);
  expect(await statusOf('/v1/pets')).toBe(200);
  const all = [...before, writers];
  expect((await (all[0] as Writers).shown()).sort()).toEqual(names(all));
  return writers;
};

const freeOnce = async ({ origin, statusOf, metric, makeRoom }: Service, round: number) => {
  const freedAt = performance.now();
  makeRoom();
  await waitFor('it is ready', async () => (await statusOf('/readyz')) === 200);
  const readyMs = performance.now() - freedAt;
  expect(await metric('petstore_database_up')).toBe(1);
  const writers = startWriters(origin, `round ${round}, after`);
  await waitFor('writes are acknowledged', () => writers.acknowledged.length > GOES_ON);
  await writers.stop();
  return { writers, readyMs };
};

/** With 4 MB free, the WAL cannot grow. With 19 MB free, the WAL can grow, but a checkpoint runs out of space. */
for (const freeMb of [4, 19]) {
  proof(
    `a disk with ${freeMb} MB left fills up: the service is not ready, logs one line, loses no write, and recovers automatically`,
    async (tell) => {
      if (!canMount()) return tell.open('this system does not allow mounting a file system (`unshare -rm`)');
      const service = await startOnSmallDisk(freeMb);
      const writers: Writers[] = [];
      const refused: number[] = [];
      let slowestMs = 0;
      for (let round = 1; round <= ROUNDS; round += 1) {
        if (round > 1) await service.takeRoom();
        const full = await fillOnce(service, writers, round);
        refused.push(full.refused.size);
        const { writers: after, readyMs } = await freeOnce(service, round);
        writers.push(full, after);
        slowestMs = Math.max(slowestMs, readyMs);
        await waitFor(
          'the end is logged',
          () => service.events().filter((event) => event === 'disk_space_back').length === round,
        );
      }
      const lines = Array.from({ length: ROUNDS }, () => ['disk_full', 'disk_space_back']).flat();
      expect(service.events()).toEqual(['database_created', 'started', ...lines]);
      expect(service.log()).not.toContain('    at ');
      const shown = new Set(await (writers[0] as Writers).shown());
      expect(names(writers).filter((name) => !shown.has(name))).toEqual([]);
      tell.figure(
        `rounds: ${ROUNDS}; ${refused.reduce((sum, count) => sum + count, 0)} writes refused with 503, ${lines.length} log lines`,
      );
      tell.figure(
        `0 of ${names(writers).length} acknowledged writes lost, ready ${(slowestMs / 1000).toFixed(1)} s after space was freed`,
      );
    },
  );
}
