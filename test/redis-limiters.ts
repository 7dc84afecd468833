import { parseRedisUrl, type RedisAddress } from '../src/limits/redis/address.ts';
import { createRedisLimiter } from '../src/limits/redis/limiter.redis.ts';
import type { Ban, Subject } from '../src/limits/window.ts';

/** Length of the window `minute`, in ms. It must outlast every test, because tests cannot change Redis's clock. */
export const MINUTE = 20 * 60_000;
export const DAY = 24 * 60 * 60_000;

let subjects = 0;

export const newSubject = ({ perMinute = 3, perDay = 1_000_000, refusals = 1_000_000 } = {}): Subject => {
  subjects += 1;
  return {
    id: `redis-${process.pid}-${Date.now()}-${subjects}`,
    windows: [
      { name: 'minute', limit: perMinute, lengthMs: MINUTE },
      { name: 'day', limit: perDay, lengthMs: DAY },
    ],
    ban: { refusals, countedMs: MINUTE, firstMs: 2 * MINUTE, longestMs: DAY, rememberedMs: DAY },
  };
};

export type RedisLimiter = Awaited<ReturnType<typeof createRedisLimiter>>;

export const createRedisLimiters = () => {
  const opened: RedisLimiter[] = [];
  const bans = new Map<string, Ban[]>();
  const logged: string[] = [];
  const note = (event: string) => logged.push(event);
  return {
    logged,
    bansOf: (subject: Subject): Ban[] => bans.get(subject.id) ?? [],
    addBan: async ({ id }: Subject, ban: Ban): Promise<void> => {
      bans.set(id, [...(bans.get(id) ?? []), ban]);
    },
    async open(url: string, deps: Partial<Parameters<typeof createRedisLimiter>[0]> = {}) {
      const limiter = await createRedisLimiter({
        address: parseRedisUrl(url) as RedisAddress,
        clock: Date.now,
        log: { warn: note, info: note },
        tallies: new Map([...bans].map(([id, list]) => [id, { windows: {}, ban: list.at(-1) as Ban }])),
        saveBan: this.addBan,
        timeoutMs: 600_000,
        ...deps,
      });
      opened.push(limiter);
      return limiter;
    },
    close() {
      for (const limiter of opened.splice(0)) limiter.close();
    },
  };
};

export type RedisLimiters = ReturnType<typeof createRedisLimiters>;

export const answers = async (limiter: RedisLimiter, subject: Subject, requests: number): Promise<string[]> => {
  const words: string[] = [];
  for (let sent = 0; sent < requests; sent += 1) words.push((await limiter.take(subject)).refused?.by ?? 'admitted');
  return words;
};
