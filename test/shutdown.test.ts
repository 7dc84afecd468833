import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { inTime } from './in-time.ts';
import { createWorkbench, PROGRAM, type Program } from './program.ts';
import { waitFor } from './wait-for.ts';

const bench = createWorkbench();
afterAll(bench.clear);

/** The service ignores a second signal that arrives within this many ms, because npm sends Ctrl-C twice. */
const ECHO_MS = 250;
const MINUTE_MS = 60_000;
const DRAIN_MS = 10_000;
const ADMIN_KEY = 'an-admin-key-of-the-operator';

const startOn = async (directory: string) => {
  const program = bench.start({ directory, environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY } });
  return { program, origin: await program.origin() };
};

const get = (origin: string, path: string, key = ADMIN_KEY) =>
  fetch(`${origin}${path}`, { headers: { Authorization: `Bearer ${key}` } });

const openSlowCreate = async (origin: string) => {
  const body = JSON.stringify({ name: 'Slow Rex', categoryId: 1 });
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes;
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  const head = [
    'POST /v1/pets HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${ADMIN_KEY}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ].join('\r\n');
  await new Promise<void>((resolve) => socket.write(`${head}\r\n\r\n${body.slice(0, 10)}`, () => resolve()));
  // By the time the service answers this request, it has also read the bytes that were just sent on `socket`.
  await get(origin, '/healthz');
  return {
    finish: async () => {
      socket.write(body.slice(10));
      await new Promise((resolve) => socket.once('close', resolve));
      return received;
    },
    abandon: () => socket.destroy(),
  };
};

const notListening = (origin: string) =>
  waitFor('new connections are refused', () =>
    get(origin, '/healthz').then(
      () => false,
      () => true,
    ),
  );

const events = (program: Program): string[] =>
  program.written.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event);

describe.concurrent('a process asked to stop', () => {
  const stopWhileAsked = async (): Promise<Set<string> | undefined> => {
    const { program, origin } = await startOn(bench.directory());
    let created = 0;
    const client = async (): Promise<string> => {
      for (;;) {
        const answer = await fetch(`${origin}/v1/pets`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
          body: '{"name":"Rex","categoryId":1}',
        });
        await answer.text();
        if (answer.status === 201) created += 1;
        if (answer.headers.get('connection') === 'close') return `ended with ${answer.status}`;
      }
    };
    const clients = Promise.all(Array.from({ length: 16 }, client)).then(
      (words) => new Set(words),
      () => undefined,
    );
    await waitFor('some pets are created', () => created > 200);
    program.signal('SIGTERM');
    const words = await clients;
    expect((await program.ended()).exitCode).toBe(0);
    return words;
  };
  test('answers every request on busy connections, and closes each after a response', async () => {
    expect(await waitFor('all clients send in time', stopWhileAsked)).toEqual(new Set(['ended with 201']));
  });

  test('reports that it is not ready, and keeps serving meanwhile', async () => {
    const stopAndAsk = async (): Promise<number[] | undefined> => {
      const { program, origin } = await startOn(bench.directory());
      const statusOf = async (path: string) => (await get(origin, path)).status;
      expect(await statusOf('/readyz')).toBe(200);
      program.signal('SIGTERM');
      const isNotReady = (status: number) => status !== 200;
      const refusals = waitFor('the service is not ready', () => statusOf('/readyz'), isNotReady).then(
        async (readiness) => [readiness, ...(await Promise.all([statusOf('/v1/pets'), statusOf('/healthz')]))],
      );
      const answers = await refusals.catch(() => undefined);
      expect((await program.ended()).exitCode).toBe(0);
      return answers;
    };
    expect(await waitFor('it answers while it stops', stopAndAsk)).toEqual([503, 200, 200]);
  });

  test('ends its streams cleanly at the signal, and sends a reconnect delay', async () => {
    const { program, origin } = await startOn(bench.directory());
    const stream = await get(origin, '/v1/events/stream');
    expect(stream.status).toBe(200);
    program.signal('SIGTERM');
    expect(await stream.text()).toMatch(/^retry: \d+$/m);
    expect((await program.ended()).exitCode).toBe(0);
  });

  const stopWithRequest = async () => {
    const directory = bench.directory();
    const { program, origin } = await startOn(directory);
    const slow = await openSlowCreate(origin);
    program.signal('SIGTERM');
    await notListening(origin);
    expect(await slow.finish()).toStartWith('HTTP/1.1 201 ');
    expect((await program.ended()).exitCode).toBe(0);

    const again = await startOn(directory);
    expect(await (await get(again.origin, '/v1/pets')).json()).toMatchObject([{ name: 'Slow Rex' }]);
  };
  test('completes accepted requests, and refuses new connections', () => inTime(DRAIN_MS, stopWithRequest));

  /**
   * The result is valid only if the rate limit window, which lasts a minute, does not end during the run. Otherwise,
   * `inTime` calls this function again.
   */
  const countAndStop = async () => {
    const directory = bench.directory();
    const { program, origin } = await startOn(directory);
    const issued = await fetch(`${origin}/v1/keys`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'counted', plan: 'free' }),
    });
    const { key } = (await issued.json()) as { key: string };
    for (let count = 0; count < 7; count++) await get(origin, '/v1/pets', key);
    program.signal('SIGTERM');
    await program.ended();

    const again = await startOn(directory);
    const { headers } = await get(again.origin, '/v1/pets', key);
    expect(headers.get('x-ratelimit-remaining')).toBe(String(60 - 8));
  };
  test('keeps the rate limit counts', () => inTime(MINUTE_MS, countAndStop));

  test('leaves one closed database file, without a WAL', async () => {
    const directory = bench.directory();
    const { program } = await startOn(directory);
    program.signal('SIGTERM');
    await program.ended();
    expect(await Bun.file(join(directory, 'data', 'petstore.db')).exists()).toBe(true);
    expect(await Bun.file(join(directory, 'data', 'petstore.db-wal')).exists()).toBe(false);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('by %s exits with 0 and logs the signal', async (signal) => {
    const { program } = await startOn(bench.directory());
    program.signal(signal);
    const { exitCode, out, err } = await program.ended();
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(out).toContain(`"event":"stopping","signal":"${signal}"`);
    expect(events(program)).toEqual(['database_created', 'started', 'stopping', 'stopped']);
  });

  test('by a second SIGHUP continues its drain: a closing terminal sends several', async () => {
    const { program, origin } = await startOn(bench.directory());
    const slow = await openSlowCreate(origin);
    program.signal('SIGHUP');
    await notListening(origin);
    program.signal('SIGHUP');
    expect(await slow.finish()).toStartWith('HTTP/1.1 201 ');
    expect((await program.ended()).exitCode).toBe(0);
  });

  test('by SIGHUP under nohup keeps serving', async () => {
    const environment = { PETSTORE_ADMIN_KEY: ADMIN_KEY };
    const program = bench.start({ directory: bench.directory(), environment, command: ['nohup', ...PROGRAM] });
    const origin = await program.origin();
    program.signal('SIGHUP');
    program.signal('SIGUSR1');
    program.signal('SIGUSR2');
    expect((await get(origin, '/readyz')).status).toBe(200);
    program.signal('SIGTERM');
    expect((await program.ended()).out).toContain('"event":"stopping","signal":"SIGTERM"');
  });

  test('twice in quick succession, as npm repeats Ctrl-C, still stops cleanly', async () => {
    const stopAtOnce = async () => {
      const { program } = await startOn(bench.directory());
      // Suspends the program, so that both signals are pending when the program continues. Otherwise, a slow machine
      // could delay the second signal.
      program.signal('SIGSTOP');
      program.signal('SIGINT');
      program.signal('SIGTERM');
      const askedAt = performance.now();
      program.signal('SIGCONT');
      const { exitCode } = await program.ended();
      // A slow machine may still pause the program between the two signals. In that case, the program correctly treats
      // the second signal as new.
      return exitCode === 1 && performance.now() - askedAt > ECHO_MS ? undefined : program;
    };
    const program = await waitFor('both signals arrive together', stopAtOnce);
    expect(program.child.exitCode).toBe(0);
    expect(events(program)).toEqual(['database_created', 'started', 'stopping', 'stopped']);
  });

  const stopTwice = async () => {
    const { program, origin } = await startOn(bench.directory());
    const slow = await openSlowCreate(origin);
    program.signal('SIGTERM');
    await notListening(origin);
    program.signal('SIGTERM');
    const { exitCode } = await program.ended();
    slow.abandon();
    expect(exitCode).toBe(1);
  };
  test('a second time cancels running requests and exits immediately', () => inTime(DRAIN_MS, stopTwice));
});

describe.concurrent('a process whose database files are removed', () => {
  test.each(['', '-wal', '-shm'])('soon reports that it is not ready (petstore.db%s)', async (suffix) => {
    const directory = bench.directory();
    const { program, origin } = await startOn(directory);
    const file = join(directory, 'data', `petstore.db${suffix}`);
    const post = () =>
      fetch(`${origin}/v1/pets`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
        body: '{"name":"Rex","categoryId":1}',
      });
    expect((await post()).status).toBe(201);
    rmSync(file);
    const isNotReady = (status: number) => status !== 200;
    expect(
      await waitFor('the service is not ready', async () => (await get(origin, '/readyz')).status, isNotReady),
    ).toBe(503);
    expect((await post()).status).toBe(503);
    expect((await get(origin, '/v1/pets')).status).toBe(200);

    program.signal('SIGTERM');
    const { out } = await program.ended();
    expect(program.child.signalCode).toBe('SIGKILL');
    expect(events(program).filter((event) => event === 'storage_failed')).toEqual(['storage_failed']);
    expect(out).toContain('petstore.db');
    expect(events(program).at(-1)).toBe('stopped');
  });
});

describe('npm start', () => {
  test('runs the service, and passes on SIGTERM', async () => {
    const program = bench.start({
      directory: join(import.meta.dir, '..'),
      command: ['npm', 'start'],
      environment: {
        DATABASE_URL: `sqlite:${join(bench.directory(), 'petstore.db')}`,
        PETSTORE_ADMIN_KEY: ADMIN_KEY,
      },
    });
    const origin = await program.origin();
    expect((await get(origin, '/v1/pets')).status).toBe(200);
    program.signal('SIGTERM');
    await notListening(origin);
    expect((await program.ended()).out).toContain('"event":"stopped"');
  });
});
