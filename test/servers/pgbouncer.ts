import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServerProcess, freePort, makeServerDirectory } from './server-process.ts';

export const findPgbouncer = (): string | undefined =>
  Bun.which('pgbouncer') ?? Bun.which('pgbouncer', { PATH: '/usr/sbin' }) ?? undefined;

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.end());
  });

type Options = {
  mode?: 'session' | 'transaction' | 'statement';
  size?: number;
};

export const startPgbouncer = async (server: string, { mode = 'transaction', size = 20 }: Options = {}) => {
  const program = findPgbouncer();
  if (!program) throw new Error('PgBouncer is not installed; install it with npm run services:install');
  const { hostname, port: serverPort, username } = new URL(server);
  const port = await freePort();
  const directory = makeServerDirectory('pgbouncer');
  const file = join(directory, 'pgbouncer.ini');
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    default_pool_size: size,
    max_client_conn: 5000,
    server_idle_timeout: 5,
    // By default, PgBouncer waits 15 s after a failed connection before it tries again.
    server_login_retry: 1,
    logfile: join(directory, 'pgbouncer.log'),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const databases = `* = host=${hostname} port=${serverPort} user=${username}`;
  writeFileSync(file, ['[databases]', databases, '[pgbouncer]', ...lines, ''].join('\n'));
  const pooler = createServerProcess({ directory, command: [program, '-q', file], isReady: () => isListening(port) });
  try {
    await pooler.start();
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  return {
    port,
    through(url: string): string {
      const address = new URL(url);
      address.host = `127.0.0.1:${port}`;
      return address.href;
    },
    async restart() {
      await pooler.end('SIGKILL');
      await pooler.start();
    },
    async remove() {
      await pooler.end('SIGQUIT');
      pooler.removeDirectory();
    },
  };
};
