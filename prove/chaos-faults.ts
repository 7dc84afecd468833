import type { ChaosFleet } from './chaos-fleet.ts';
import type { Seeded } from './seeded.ts';

const LASTS_MS = 700;
const DELAY_MS = 60;

type Fault = (fleet: ChaosFleet, random: Seeded) => Promise<void>;

type Way = ChaosFleet['toPostgres'];

const any = ({ members }: ChaosFleet, random: Seeded) => random.one(members) as ChaosFleet['members'][number];

const reset = async (way: Way): Promise<void> => {
  await way.cut();
  await way.restore();
};

const halfOpen = async (way: Way): Promise<void> => {
  way.blackHole();
  await Bun.sleep(LASTS_MS);
  await reset(way);
};

const delay = async (way: Way): Promise<void> => {
  way.delay(DELAY_MS);
  await Bun.sleep(LASTS_MS);
  await way.restore();
};

const FAULTS: Readonly<Record<string, Fault>> = {
  'an instance is killed': (fleet, random) => fleet.replace(any(fleet, random), 'SIGKILL'),
  'two instances are killed': async (fleet, random) => {
    const [one, two] = random.shuffled(fleet.members) as [ChaosFleet['members'][0], ChaosFleet['members'][0]];
    await Promise.all([fleet.replace(one, 'SIGKILL'), fleet.replace(two, 'SIGKILL')]);
  },
  'instances are replaced one after another': async (fleet, random) => {
    for (const member of random.shuffled(fleet.members).slice(0, 2)) await fleet.replace(member, 'SIGTERM');
  },
  'an instance is frozen': async (fleet, random) => {
    const { program } = any(fleet, random).instance;
    program.signal('SIGSTOP');
    await Bun.sleep(LASTS_MS);
    program.signal('SIGCONT');
  },
  'PostgreSQL is stopped immediately and restarted': async ({ postgres }) => {
    await postgres.stop('immediate');
    await postgres.restart();
  },
  'PostgreSQL is far away': ({ toPostgres }) => delay(toPostgres),
  'connections to PostgreSQL are reset': ({ toPostgres }) => reset(toPostgres),
  'connections to PostgreSQL are half-open': ({ toPostgres }) => halfOpen(toPostgres),
  'connections to an instance are reset': (fleet, random) => reset(any(fleet, random).way),
  'connections to an instance are half-open': (fleet, random) => halfOpen(any(fleet, random).way),
};

/**
 * Faults that make rate limits inexact. While Redis is down, each instance counts requests on its own. When Redis is
 * killed, its counts are lost.
 */
const OF_REDIS: typeof FAULTS = {
  'Redis is killed and restarted': async ({ redis }) => {
    await redis.kill();
    await Bun.sleep(LASTS_MS);
    await redis.restart();
  },
  'connections to Redis are reset': ({ toRedis }) => reset(toRedis),
  'connections to Redis are half-open': ({ toRedis }) => halfOpen(toRedis),
};

const OF_POOLER: typeof FAULTS = {
  'PgBouncer is killed and restarted': async ({ pooler }) => pooler?.restart(),
};

export type Schedule = { isOfRedis: boolean; what: string; happens: Fault }[];

export const scheduleOf = ({ pooler }: ChaosFleet, random: Seeded, times: number): Schedule => {
  const repeated = (faults: typeof FAULTS) => Array.from({ length: times }, () => Object.entries(faults)).flat();
  return [pooler ? { ...FAULTS, ...OF_POOLER } : FAULTS, OF_REDIS].flatMap((faults) =>
    random.shuffled(repeated(faults)).map(([what, happens]) => ({ isOfRedis: faults === OF_REDIS, what, happens })),
  );
};
