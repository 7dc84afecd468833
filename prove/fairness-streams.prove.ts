import { afterAll, beforeAll, expect } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { createWorkbench } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { proof } from './proof.ts';

const ADMIN_KEY = 'fairness-9fK2mQ7xT4vB8nR1cW6z';
const MOST = 500;
const ASKED_FOR = 600;
const PAST = 3000;
const ROUNDS = 3;
const SAMPLES = 300;

const workbench = createWorkbench();
let origin: string;
let [hog, other] = ['', ''];

const call = (method: string, path: string, key: string, body?: object) =>
  fetch(`${origin}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

const createPet = (key: string) => call('POST', '/pets', key, { name: 'Rex', categoryId: 1 });

const issueKey = async (storeId: number): Promise<string> => {
  const answer = await call('POST', '/keys', ADMIN_KEY, {
    name: 'fairness',
    plan: 'enterprise',
    limits: { perMinute: 1_000_000, perDay: 1_000_000 },
    scopes: ['pets:read', 'pets:write', 'events:read'],
    storeId,
  });
  return ((await answer.json()) as { key: string }).key;
};

beforeAll(async () => {
  const program = workbench.start({
    directory: workbench.directory(),
    environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY, PETSTORE_LOG_LEVEL: 'info' },
  });
  origin = await program.origin();
  [hog, other] = [await issueKey(5), await issueKey(6)];
  for (let written = 0; written < PAST; written += 100) {
    await Promise.all(Array.from({ length: 100 }, () => createPet(hog)));
  }
});
afterAll(() => workbench.clear());

const openStream = async ({ lastEventId, isRead }: { lastEventId?: number; isRead: boolean }) => {
  const socket: Socket = connect(Number(new URL(origin).port), '127.0.0.1');
  const resume = lastEventId === undefined ? '' : `Last-Event-ID: ${lastEventId}\r\n`;
  socket.write(`GET /v1/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${hog}\r\n${resume}\r\n`);
  socket.on('error', () => undefined);
  const first = await new Promise<Buffer>((resolve) => {
    socket.once('data', resolve);
    socket.once('close', () => resolve(Buffer.alloc(0)));
  });
  if (isRead) socket.on('data', () => undefined);
  else socket.pause();
  return { status: Number(first.toString('latin1', 9, 12)), close: () => socket.destroy() };
};

const p99OfOthers = async (): Promise<number> => {
  const took: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const startedAt = performance.now();
    const answer = await (sample % 2 ? createPet(other) : call('GET', '/pets?limit=20', other));
    await answer.text();
    took.push(performance.now() - startedAt);
    expect(answer.status).toBeLessThan(300);
    await Bun.sleep(2);
  }
  return took.sort((a, b) => a - b)[Math.floor(SAMPLES * 0.99)] as number;
};

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

const repeat = (perSecond: number, work: () => Promise<unknown>) => {
  let isOver = false;
  const ended = (async () => {
    while (!isOver) await Promise.all([work(), Bun.sleep(1000 / perSecond)]);
  })();
  return async () => {
    isOver = true;
    await ended;
  };
};

const compare = async (attack: () => Promise<() => Promise<void>>) => {
  const [alone, meanwhile]: [number[], number[]] = [[], []];
  await p99OfOthers();
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await p99OfOthers());
    const stop = await attack();
    meanwhile.push(await p99OfOthers());
    await stop();
  }
  return { alone: median(alone), meanwhile: median(meanwhile) };
};

proof(
  `one key requests ${ASKED_FOR} streams, gets ${MOST}, and writes 20 times a second: another store is served as before`,
  async ({ figure, time }) => {
    const { alone, meanwhile } = await compare(async () => {
      const streams = await waitFor('its places are free', async () => {
        const opened = await Promise.all(Array.from({ length: ASKED_FOR }, () => openStream({ isRead: false })));
        const count = (wanted: number) => opened.filter(({ status }) => status === wanted).length;
        if (count(200) === MOST && count(429) === ASKED_FOR - MOST) return opened;
        for (const { close } of opened) close();
        return undefined;
      });
      const stopWriting = repeat(20, () => createPet(hog));
      return async () => {
        await stopWriting();
        for (const { close } of streams) close();
      };
    });
    figure(`p99 ${meanwhile.toFixed(1)} ms with them, ${alone.toFixed(1)} ms without`);
    time('p99 of others', meanwhile, Math.ceil(3 * alone));
  },
);

proof(
  `ten streams with one key replay ${PAST} past events repeatedly: another store is served as before`,
  async ({ figure, time }) => {
    let replays = 0;
    const { alone, meanwhile } = await compare(async () => {
      const stops = Array.from({ length: 10 }, () =>
        repeat(5, async () => {
          const { close } = await openStream({ lastEventId: 0, isRead: true });
          replays += 1;
          await Bun.sleep(200);
          close();
        }),
      );
      return async () => {
        await Promise.all(stops.map((stop) => stop()));
      };
    });
    figure(`p99 ${meanwhile.toFixed(1)} ms during ${replays} replays, ${alone.toFixed(1)} ms without`);
    time('p99 of others', meanwhile, Math.ceil(3 * alone));
  },
);
