import { afterAll, beforeAll, expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { createWorkbench, type Program } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { proof } from './proof.ts';

const READERS = 300;
const MAX_MB = 400;
const STATUS_LINE = 'HTTP/1.1 200 OK';

const workbench = createWorkbench();
let program: Program;
let origin: string;
beforeAll(async () => {
  program = workbench.start({
    directory: workbench.directory(),
    environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY, PETSTORE_TRUST_PROXY: '127.0.0.1' },
  });
  origin = await program.origin();
});
afterAll(() => workbench.clear());

const peakMb = (): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${program.child.pid}/status`, 'utf8'))?.[1]) / 1024;

let addresses = 0;

const readSlowly = async (path: string, coding: string) => {
  addresses += 1;
  const from = `10.1.${addresses >> 8}.${addresses & 255}`;
  let taken = '';
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: Number(new URL(origin).port),
    socket: {
      data(connection, bytes) {
        taken += bytes.toString('latin1');
        if (taken.length >= STATUS_LINE.length) connection.pause();
      },
    },
  });
  const head = [`Host: host-${addresses}.example`, `X-Forwarded-For: ${from}`, `Accept-Encoding: ${coding}`];
  socket.write(`GET ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
  return { statusLine: () => taken.slice(0, STATUS_LINE.length), end: () => socket.terminate() };
};

const scriptOf = async (): Promise<string> => {
  const page = await (await fetch(`${origin}/docs`)).text();
  return `/${/<script src="(docs\/script[^"]*)"/.exec(page)?.[1]}`;
};

proof(
  `for each page, ${READERS} clients request it without a key and read nothing: at most ${MAX_MB} MB of memory`,
  async ({ figure }) => {
    const script = await scriptOf();
    const readers: Awaited<ReturnType<typeof readSlowly>>[] = [];
    for (const path of ['/', '/docs', '/openapi.json', script]) {
      for (const coding of ['gzip', 'identity']) {
        const opened = await Promise.all(Array.from({ length: READERS }, () => readSlowly(path, coding)));
        readers.push(...opened);
        await waitFor(`all have the beginning of ${path}`, () =>
          opened.every(({ statusLine }) => statusLine() === STATUS_LINE),
        );
        figure(`${path.replace(/\.[0-9a-f]{16}/, '')}, ${coding}: ${peakMb().toFixed(0)} MB at most so far`);
      }
    }
    const meanwhile = await fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${ADMIN_KEY}` } });
    expect(meanwhile.status).toBe(200);
    for (const { end } of readers) end();
    expect(peakMb()).toBeLessThanOrEqual(MAX_MB);
    figure(`${readers.length} simultaneous readers: ${peakMb().toFixed(0)} MB`);
  },
);
