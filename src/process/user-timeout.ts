import { dlopen, ptr } from 'bun:ffi';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { LIBC } from './libc.ts';

/** Of Linux: the protocol, its option, and how its table of sockets tells one that listens. */
const [IPPROTO_TCP, TCP_USER_TIMEOUT, LISTENING] = [6, 18, '0A'];

/** The inode numbers of the sockets that listen on a port, in this network. */
const listeningOn = (port: number): Set<string> => {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/self/net/${name}`, 'utf8').split('\n'));
  const inodes = rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
    return state === LISTENING && local.endsWith(end) ? [inode] : [];
  });
  return new Set(inodes);
};

const linkOf = (descriptor: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
};

/** Our own descriptors of them. */
const descriptorsOn = (port: number): number[] => {
  const inodes = listeningOn(port);
  return readdirSync('/proc/self/fd')
    .filter((descriptor) => inodes.has(/^socket:\[(\d+)\]$/.exec(linkOf(descriptor))?.[1] ?? ''))
    .map(Number);
};

/**
 * Has the system end every connection to `port` whose other end has taken nothing of what it was sent for so long, be it
 * gone or full: by itself it notices the one after a quarter of an hour, and the other never. Connections that are accepted
 * from now on inherit it from the socket that listens. Returns whether it holds: the runtime shows nobody its sockets, and
 * only Linux lets one find them.
 */
export const endUnacknowledged = (port: number, afterMs: number): boolean => {
  if (process.platform !== 'linux') return false;
  try {
    const { symbols } = dlopen(LIBC, { setsockopt: { args: ['int', 'int', 'int', 'ptr', 'u32'], returns: 'int' } });
    const value = new Uint32Array([afterMs]);
    const descriptors = descriptorsOn(port);
    const set = (descriptor: number) =>
      symbols.setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, ptr(value), value.byteLength) === 0;
    return descriptors.length > 0 && descriptors.every(set);
  } catch {
    return false;
  }
};
