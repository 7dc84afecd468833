import { afterAll, expect } from 'bun:test';
import { readdirSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { createWorkbench, PROGRAM } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { LONG, proof } from './proof.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const LIMIT = 256;
const CROWD = 2000;
const CALLERS = 8;
const ROUNDS = LONG ? 5 : 1;
/**
 * If the database file grows by this many bytes, a checkpoint has succeeded. A checkpoint can succeed only if file
 * descriptors are free.
 */
const GROWN_BYTES = 256 * 1024;

const body = JSON.stringify({ name: 'x'.repeat(255), categoryId: 1 });
const WRITE =
  `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ADMIN_KEY}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const READ = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

const openCaller = async (port: number) => {
  const socket = connect(port, '127.0.0.1');
  let [received, isClosed] = ['', false];
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  const ask = async (request: string): Promise<string> => {
    received = '';
    socket.write(request);
    return waitFor('an answer', () => {
      const [head = '', ...rest] = received.split('\r\n\r\n');
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      if (isClosed) return 'closed';
      return rest.join('\r\n\r\n').length >= length ? head.slice(9, 12) : undefined;
    });
  };
  return { ask, end: () => socket.destroy() };
};

const openCrowd = (port: number): Socket[] =>
  Array.from({ length: CROWD }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(READ));
    return socket.on('error', () => undefined);
  });

proof(
  `${LIMIT} file descriptors and ${CROWD} connections: every write by a connected caller succeeds`,
  async (tell) => {
    if (process.platform !== 'linux') return tell.open('only Linux shows the descriptors of a process');
    const directory = bench.directory();
    const program = bench.start({
      directory,
      command: ['sh', '-c', `ulimit -n ${LIMIT} && exec "$0" "$@"`, ...PROGRAM],
      environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY },
    });
    const origin = await program.origin();
    const port = Number(new URL(origin).port);
    const openCount = () => readdirSync(`/proc/${program.child.pid}/fd`).length;
    const fileBytes = () => statSync(join(directory, 'data', 'petstore.db')).size;
    const statuses: Record<string, number> = {};

    for (let round = 1; round <= ROUNDS; round += 1) {
      const callers = await Promise.all(Array.from({ length: CALLERS }, () => openCaller(port)));
      for (const { ask } of callers) expect(await ask(READ)).toBe('200');
      const crowd = openCrowd(port);
      const warned = await waitFor('new connections wait', () =>
        program.written.out.includes('"event":"connections_wait"'),
      );
      expect(warned).toBe(true);
      const before = fileBytes();
      const write = async ({ ask }: (typeof callers)[number]): Promise<void> => {
        while (fileBytes() < before + GROWN_BYTES) {
          const status = await ask(WRITE);
          statuses[status] = (statuses[status] ?? 0) + 1;
          if (status === 'closed') return;
        }
      };
      await Promise.all(callers.map(write));
      expect(Object.keys(statuses)).toEqual(['201']);
      expect(openCount()).toBeLessThanOrEqual(LIMIT);
      for (const socket of crowd) socket.destroy();
      for (const { end } of callers) end();
      const next = await openCaller(port);
      expect(await next.ask(READ)).toBe('200');
      next.end();
    }
    tell.figure(`${CROWD} connections to a process with ${LIMIT} descriptors; rounds: ${ROUNDS}`);
    tell.figure(`${statuses['201']} of ${statuses['201']} writes acknowledged, with a checkpoint in each round`);
    program.signal('SIGTERM');
    expect((await program.ended()).exitCode).toBe(0);
  },
);
