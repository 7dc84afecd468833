import { afterAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { createWorkbench, PROGRAM } from '../../test/program.ts';
import { waitFor } from '../../test/wait-for.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const LIMIT = 160;
const RESERVE = 20;
const READ = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

test.if(process.platform === 'linux')(
  'a process without free descriptors stops accepting and keeps a reserve',
  async () => {
    const command = ['sh', '-c', `ulimit -n ${LIMIT} && exec "$0" "$@"`, ...PROGRAM];
    const program = bench.start({ directory: bench.directory(), command });
    const origin = await program.origin();
    let answered = 0;
    const crowd = Array.from({ length: 2 * LIMIT }, () => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(READ));
      socket.on('error', () => undefined);
      return socket.once('data', () => {
        answered += 1;
      });
    });
    await waitFor('new connections wait', () => program.written.out.includes('"event":"connections_wait"'));
    // The service briefly opens descriptors to find out how many are free, so the test uses the lowest of five counts.
    const counts = Array.from({ length: 5 }, () => readdirSync(`/proc/${program.child.pid}/fd`).length);
    expect(Math.min(...counts)).toBeLessThanOrEqual(LIMIT - RESERVE);
    const first = await waitFor('accepted requests are answered', () => answered);
    expect(first).toBeLessThan(LIMIT);

    for (const socket of crowd) socket.destroy();
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    expect(program.written.out.match(/"event":"connections_wait"/g)).toHaveLength(1);
  },
);
