import { afterAll, expect } from 'bun:test';
import { createWorkbench, PROGRAM } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { LONG, proof } from './proof.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const DISK_MB = 64;
const ROUNDS = LONG ? 3 : 1;
const WINDOW_MS = 61_000;
const RESET_SECONDS = 3;

/**
 * Makes `/dev/shm` read-only, so that the demo stores its data in the temporary directory, which is on the small disk.
 */
const ON_SMALL_DISK = `mount --bind /dev/shm /dev/shm && mount -o remount,bind,ro /dev/shm &&
mount -t tmpfs -o size=${DISK_MB}m none "$TMPDIR" && exec "$@"`;

const canMount = (): boolean =>
  Bun.which('unshare') !== null &&
  Bun.spawnSync(['unshare', '-rm', 'mount', '-t', 'tmpfs', 'none', bench.directory()], { stderr: 'ignore' }).success;

const LONGEST = '😀'.repeat(255);

const startDemo = async () => {
  const directory = bench.directory();
  const program = bench.start({
    directory: bench.directory(),
    environment: { TMPDIR: directory },
    command: ['unshare', '-rm', 'sh', '-c', ON_SMALL_DISK, 'sh', ...PROGRAM, 'serve', '--demo'].concat([
      '--reset-every',
      `${RESET_SECONDS}s`,
    ]),
  });
  const origin = await program.origin();
  const key = await waitFor('the test key is printed', () => /Test key +(\S+)/.exec(program.written.err)?.[1]);
  const ask = async (method: string, path: string, body?: object, once?: string) => {
    const answer = await fetch(`${origin}/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        ...(once ? { 'Idempotency-Key': once.padEnd(255, 'x') } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const lines = (event: string): number => program.written.out.split(`"event":"${event}"`).length - 1;
  return { program, ask, resets: () => lines('demo_reset'), failures: () => lines('demo_reset_failed') };
};

type Demo = Awaited<ReturnType<typeof startDemo>>;

const SIZES = [980, 700, 300, 100, 30, 10, 3, 1];

const flood = async ({ ask }: Demo, round: number): Promise<Map<number, number>> => {
  const statuses = new Map<number, number>();
  const note = ({ status }: { status: number }) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    return status;
  };
  const fill = async (visitor: number): Promise<void> => {
    for (const size of SIZES) {
      let count = 0;
      do {
        count += 1;
        const pets = Array.from({ length: size }, (_, at) => ({ name: LONGEST, categoryId: visitor * 1_000_000 + at }));
        const response = await ask('POST', '/pets/batch', { pets }, `${round}-${visitor}-${size}-${count}`);
        if (note(response) !== 201) break;
      } while (count < 20);
    }
  };
  for (let cycle = 1; cycle <= 4; cycle += 1) {
    await Promise.all([1, 2, 3].map((visitor) => fill(10 * cycle + visitor)));
    note(await ask('POST', '/sandbox/reset', undefined, `${round}-${cycle}`));
  }
  const [pet] = JSON.parse((await ask('GET', '/pets?limit=1&order=desc')).text) as { id: number }[];
  for (let count = 0; count < 50; count += 1) {
    note(await ask('PATCH', `/pets/${pet?.id}`, { name: LONGEST.slice(2 * (count % 9)) }));
  }
  return statuses;
};

const TAKEN_OR_REFUSED = new Set([200, 201, 204, 403, 404, 429, 503]);

proof(
  `visitors flood a public demo on a ${DISK_MB} MB memory disk with the longest names: the next reset works, and the samples are back`,
  async ({ figure, open }) => {
    if (!canMount()) return open('this system does not allow private mounts (`unshare -rm`)');
    const demo = await startDemo();
    const seen = new Map<number, number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round > 0) await Bun.sleep(WINDOW_MS);
      for (const [status, count] of await flood(demo, round)) seen.set(status, (seen.get(status) ?? 0) + count);
      const before = demo.resets();
      // Waits for two resets, because the first one may have started before the flood ended.
      await waitFor('two more resets are done', () => demo.resets() >= before + 2 || undefined);
      const listed = await waitFor('the sample pets are back', async () => {
        const { status, text } = await demo.ask('GET', '/pets?limit=100');
        return status === 200 && JSON.parse(text).length === 60 ? text : undefined;
      });
      expect(listed).toContain('"Rex"');
      const added = () => demo.ask('POST', '/pets', { name: 'Rex', categoryId: 1 });
      await waitFor('a visitor can add a pet', async () => (await added()).status === 201 || undefined);
    }
    const words = [...seen].sort(([one], [other]) => one - other).map(([status, count]) => `${count} × ${status}`);
    figure(`${words.join(', ')}; ${demo.resets()} resets, ${demo.failures()} of them with a new file`);
    expect([...seen.keys()].filter((status) => !TAKEN_OR_REFUSED.has(status))).toEqual([]);
    expect(seen.get(403)).toBeGreaterThan(0);
    expect(demo.failures()).toBe(0);
    expect(demo.program.written.out).not.toContain('disk is full');
  },
);
