import { afterAll, beforeAll, expect } from 'bun:test';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { createWorkbench } from '../test/program.ts';
import { proof } from './proof.ts';

const PER_SECOND = 200;
const ROUNDS = 3;
const PAGES = 400;
const MAX_TIMES = 3;
/**
 * The limit is a multiple of the p99 without the flood. If that p99 is lower than this many ms, the proof uses this
 * value instead, because differences of a few milliseconds are noise.
 */
const LEAST_MS = 5;

const workbench = createWorkbench();
let origin: string;
beforeAll(async () => {
  const program = workbench.start({
    directory: workbench.directory(),
    environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY, PETSTORE_TRUST_PROXY: '127.0.0.1' },
  });
  origin = await program.origin();
});
afterAll(() => workbench.clear());

const flood = () => {
  const statuses = new Set<string>();
  let [sent, answered] = [0, 0];
  const port = Number(new URL(origin).port);
  const ask = async (from: string, path: string) => {
    let taken = '';
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data(_, bytes) {
          if (taken.length < 12) taken += bytes.toString('latin1', 0, 12);
        },
        close() {
          answered += 1;
          statuses.add(taken.slice(9, 12));
        },
      },
    });
    const head = [`Host: ${from}.example`, `X-Forwarded-For: ${from}`, 'Accept-Encoding: gzip', 'Connection: close'];
    socket.write(`GET ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
  };
  const timer = setInterval(() => {
    sent += 1;
    if (sent === PAGES) clearInterval(timer);
    ask(`10.0.${sent >> 8}.${sent & 255}`, sent % 4 === 0 ? '/docs' : '/openapi.json').catch((error) => {
      answered += 1;
      statuses.add(String(error));
    });
  }, 1000 / PER_SECOND);
  return { isOver: () => answered === PAGES, statuses };
};

const askUntil = async (isEnough: (asked: number) => boolean): Promise<number[]> => {
  const times: number[] = [];
  while (!isEnough(times.length)) {
    const startedAt = performance.now();
    const answer = await fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${ADMIN_KEY}` } });
    expect(answer.status).toBe(200);
    await answer.text();
    times.push(performance.now() - startedAt);
    await Bun.sleep(1);
  }
  return times;
};

const share = (times: number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN;

proof(
  `${PER_SECOND} pages a second for callers without a key, each from a different address: a caller with a key waits at most ${MAX_TIMES} × as long`,
  async ({ figure, time }) => {
    const [alone, meanwhile]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(...(await askUntil((asked) => asked === PAGES)));
      const strangers = flood();
      meanwhile.push(...(await askUntil(strangers.isOver)));
      expect([...strangers.statuses]).toEqual(['200']);
    }
    const shown = (part: number) =>
      `${share(alone, part).toFixed(1)} ms alone, ${share(meanwhile, part).toFixed(1)} ms with pages`;
    figure(`${ROUNDS * PAGES} pages during ${meanwhile.length} requests; p50 ${shown(0.5)}; p99 ${shown(0.99)}`);
    time('p99 with pages', share(meanwhile, 0.99), Math.round(MAX_TIMES * Math.max(LEAST_MS, share(alone, 0.99))));
  },
);
