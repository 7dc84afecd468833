import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN_KEY } from './admin-key.ts';
import { createWorkbench, PROGRAM, type Program } from './program.ts';
import { waitFor } from './wait-for.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const LONG = 'x'.repeat(200);
const REQUESTS = 8000;
const CALLERS = 32;

const createPipe = () => {
  const path = join(bench.directory(), 'pipe');
  Bun.spawnSync(['mkfifo', path]);
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const buffer = Buffer.alloc(65_536);
  let text = '';
  return {
    path,
    read(): string {
      try {
        for (let count = readSync(fd, buffer); count > 0; count = readSync(fd, buffer)) {
          text += buffer.toString('utf8', 0, count);
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      }
      return text;
    },
    close: () => closeSync(fd),
  };
};

let pipe: ReturnType<typeof createPipe>;
let program: Program;
let origin: string;

beforeEach(async () => {
  pipe = createPipe();
  program = bench.start({
    directory: bench.directory(),
    environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY },
    command: ['sh', '-c', 'pipe=$0; exec "$@" > "$pipe"', pipe.path, ...PROGRAM],
  });
  origin = await waitFor('the program listens', () => /"api":"(http:[^"]+)\/v1"/.exec(pipe.read())?.[1]);
});

const flood = async (): Promise<void> => {
  let sent = 0;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (sent++ < REQUESTS) {
      const headers = { 'X-Request-Id': LONG, Authorization: `Bearer ${ADMIN_KEY}` };
      const { status } = await fetch(`${origin}/v1/${LONG}`, { headers });
      if (status !== 404) throw new Error(`unexpected answer ${status}`);
    }
  });
  await Promise.all(callers);
};

describe('standard output that is not read', () => {
  test('delays no response, and the number of dropped lines is logged once reading resumes', async () => {
    await flood();

    const { dropped } = await waitFor('every request is logged or counted as dropped', () => {
      const text = pipe.read();
      const lines = text
        .slice(0, text.lastIndexOf('\n'))
        .split('\n')
        .map((line) => JSON.parse(line));
      const written = lines.filter(({ event }) => event === 'request').length;
      const dropped = lines.reduce((sum, { event, count }) => (event === 'log_lines_dropped' ? sum + count : sum), 0);
      return written + dropped === REQUESTS ? { dropped } : undefined;
    });
    expect(dropped).toBeGreaterThan(0);
  });

  test('does not prevent a clean shutdown', async () => {
    await flood();
    program.signal('SIGTERM');
    expect((await program.ended()).exitCode).toBe(0);
  });
});

describe('standard output whose reader has closed it', () => {
  test('does not stop the service', async () => {
    pipe.close();
    await flood();
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    program.signal('SIGTERM');
    expect((await program.ended()).exitCode).toBe(0);
  });
});
