import { createSeeded } from '../prove/seeded.ts';
import { p99 } from './compare.ts';

/**
 * Simulates queues with random arrivals (Poisson) and given service times. The seed is fixed, so each run prints the
 * same figures.
 */

const ARRIVALS = 1_000_000;
/** Number of arrivals at the start that are not counted, because the queue starts empty. */
const WARM_UP = 100_000;
const SEED = 35;
const LOADS = [0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

const createRandom = (seed: number): Random => {
  const { below } = createSeeded(seed);
  return () => below(2 ** 32) / 2 ** 32;
};

type Random = () => number;
type Service = { name: string; mean: number; square: number; draw(random: Random): number };

const exponential = (mean: number, random: Random): number => -mean * Math.log(1 - random());

/** A mixture of several kinds of work. Each kind has a share of the requests and a fixed service time in ms. */
const mixture = (name: string, kinds: readonly (readonly [share: number, ms: number])[]): Service => ({
  name,
  mean: kinds.reduce((sum, [share, ms]) => sum + share * ms, 0),
  square: kinds.reduce((sum, [share, ms]) => sum + share * ms * ms, 0),
  draw(random) {
    let left = random();
    for (const [share, ms] of kinds) {
      if (left < share) return ms;
      left -= share;
    }
    return kinds[0]?.[1] ?? 0;
  },
});

/**
 * The event loop of an instance that uses PostgreSQL and Redis. It handles nine reads per create request. The processor
 * times are from docs/scaling.md. One request in 1,000 takes 5 ms, to represent a garbage collection or a large page.
 */
const EVENT_LOOP = mixture('event loop', [
  [0.9, 0.07],
  [0.099, 0.19],
  [0.001, 5],
]);

/** A transaction holds its connection for one round trip and one WAL sync, which together take 2 ms on average. */
const HOLD_MS = 2;
const CONNECTION: Service = {
  name: 'connection',
  mean: HOLD_MS,
  square: 2 * HOLD_MS * HOLD_MS,
  draw: (random) => exponential(HOLD_MS, random),
};

/** Returns how long each arrival waits, in ms. Each arrival goes to the server that becomes free first. */
const simulateWaits = ({ mean, draw }: Service, servers: number, load: number, arrivals = ARRIVALS): number[] => {
  const [nextArrival, nextService] = [createRandom(SEED), createRandom(SEED + 1)];
  const freeAt = new Float64Array(servers);
  const waits: number[] = [];
  let now = 0;
  for (let arrival = 0; arrival < arrivals; arrival += 1) {
    now += exponential(mean / (load * servers), nextArrival);
    let first = 0;
    for (let server = 1; server < servers; server += 1) {
      if ((freeAt[server] as number) < (freeAt[first] as number)) first = server;
    }
    const start = Math.max(now, freeAt[first] as number);
    if (arrival >= WARM_UP) waits.push(start - now);
    freeAt[first] = start + draw(nextService);
  }
  return waits;
};

/** The mean wait in a queue with one server, from the Pollaczek–Khinchine formula. */
const meanWait = ({ mean, square }: Service, load: number): number => (load * square) / mean / (2 * (1 - load));

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map((_, index) => (index === 0 ? '---' : '--:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

/**
 * Numbers of connections to simulate. An instance with 8 connections uses 5 of them for writes, an instance with 22
 * connections uses 13, and a pooler uses 100.
 */
const POOLS = [5, 13, 100];

const percent = (load: number): string => `${Math.round(100 * load)} %`;

export const simulateQueues = (): string => {
  const loop = LOADS.map((load) => {
    const waits = simulateWaits(EVENT_LOOP, 1, load);
    const rate = Math.round((1000 * load) / EVENT_LOOP.mean);
    const cells = [average(waits), meanWait(EVENT_LOOP, load), p99(waits)].map(ms);
    return [percent(load), rate.toLocaleString('en'), ...cells];
  });
  const pools = LOADS.map((load) => [
    percent(load),
    ...POOLS.flatMap((servers) => {
      const rate = Math.round((1000 * load * servers) / HOLD_MS);
      return [rate.toLocaleString('en'), ms(p99(simulateWaits(CONNECTION, servers, load)))];
    }),
  ]);
  return [
    `One event loop, ${EVENT_LOOP.mean.toFixed(3)} ms a request:`,
    table(['busy', 'requests a second', 'mean wait', 'by formula', 'p99 wait'], loop),
    `Connections, ${HOLD_MS} ms a transaction:`,
    table(['busy', ...POOLS.flatMap((servers) => [`${servers}: writes a second`, 'p99 wait'])], pools),
  ].join('\n\n');
};
