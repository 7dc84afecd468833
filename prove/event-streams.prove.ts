import { afterAll, beforeAll, expect } from 'bun:test';
import { type Service, startService } from '../test/service.ts';
import { proof } from './proof.ts';

const READERS = 1000;
const EVENTS = 10_000;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const openStore = (storeId: number) =>
  service.issueKey({
    storeId,
    scopes: ['pets:read', 'pets:write', 'events:read'],
    plan: 'enterprise',
    limits: { perMinute: 1_000_000, perDay: 1_000_000 },
  });

const createPet = async (key: string): Promise<void> => {
  const { status } = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key });
  if (status === 503) return createPet(key);
  expect(status).toBe(201);
};

const createPets = (count: number, key: string) => Promise.all(Array.from({ length: count }, () => createPet(key)));

const readSome = async (key: string, lastEventId: number, count: number): Promise<number[]> => {
  const answer = await fetch(service.url('/v1/events/stream'), {
    headers: { Authorization: `Bearer ${key}`, 'Last-Event-ID': String(lastEventId) },
  });
  const ids: number[] = [];
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const id = /^id: (\d+)$/m.exec(event)?.[1];
      if (id) ids.push(Number(id));
    }
    if (ids.length >= count) break;
  }
  return ids.slice(0, count);
};

/** Uses a raw socket, because `fetch` allows at most 256 concurrent requests. */
const follow = async (key: string, count: number): Promise<{ ids: Promise<number[]>; end: () => void }> => {
  const opened = Promise.withResolvers<string>();
  const enough = Promise.withResolvers<number[]>();
  enough.promise.catch(() => undefined);
  let text = '';
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: service.port,
    socket: {
      close() {
        opened.resolve(text === '' ? '503' : text.slice(9, 12));
        enough.reject(new Error('the stream was cut'));
      },
      data(_, bytes) {
        text += bytes.toString();
        if (text.includes(': hello') || /^HTTP\/1.1 [^2].*\r\n\r\n./s.test(text)) opened.resolve(text.slice(9, 12));
        const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
        if (ids.length === count) enough.resolve(ids);
      },
    },
  });
  socket.write(`GET /v1/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  const status = await opened.promise;
  if (status === '503') {
    socket.end();
    return follow(key, count);
  }
  expect(status).toBe('200');
  return { ids: enough.promise, end: () => socket.end() };
};

proof(`a reader that reconnects repeatedly gets each of ${EVENTS} events exactly once`, async ({ figure }) => {
  const key = await openStore(52);
  const writing = (async () => {
    for (let written = 0; written < EVENTS; written += 250) await createPets(250, key);
  })();
  const ids: number[] = [];
  let visits = 0;
  while (ids.length < EVENTS) {
    const count = Math.min(EVENTS - ids.length, 1 + Math.floor(Math.random() * 900));
    ids.push(...(await readSome(key, ids.at(-1) ?? 1, count)));
    visits += 1;
  }
  await writing;
  expect(ids).toEqual(Array.from({ length: EVENTS }, (_, index) => index + 2));
  figure(`${ids.length} events over ${visits} connections`);
});

proof(`${READERS} simultaneous streams all get every event once, in order`, async ({ figure }) => {
  // A single key may open at most half of its store's streams, so the proof needs two keys.
  const keys = [await openStore(57), await openStore(57)];
  const readers = await Promise.all(Array.from({ length: READERS }, (_, index) => follow(keys[index % 2] ?? '', 3)));
  await createPets(3, keys[0] ?? '');
  for (const { ids, end } of readers) {
    expect(await ids).toEqual([3, 4, 5]);
    end();
  }
  figure(`${READERS} of ${READERS} readers got all events`);
});
