import { dlopen, ptr } from 'bun:ffi';
import { readdirSync } from 'node:fs';
import { LIBC } from './libc.ts';

/** Of Linux: where an option stands, and its number. */
const SO_ACCEPTCONN = [1, 30] as const;
const TCP_USER_TIMEOUT = [6, 18] as const;

/** As large as an address of IPv6; of either family the port stands at the same place. */
const ADDRESS_BYTES = 28;
const PORT_AT = 2;

const openLibc = () =>
  dlopen(LIBC, {
    getsockname: { args: ['int', 'ptr', 'ptr'], returns: 'int' },
    getsockopt: { args: ['int', 'int', 'int', 'ptr', 'ptr'], returns: 'int' },
    setsockopt: { args: ['int', 'int', 'int', 'ptr', 'u32'], returns: 'int' },
  }).symbols;

type Libc = ReturnType<typeof openLibc>;

/**
 * Our own descriptors that listen on a port. Each is asked: to look the port up in the system's table of connections takes
 * as long as a whole start.
 */
export const descriptorsOn = (port: number, { getsockname, getsockopt }: Libc = openLibc()): number[] => {
  const listens = (descriptor: number): boolean => {
    const value = new Uint32Array(1);
    const size = new Uint32Array([value.byteLength]);
    return getsockopt(descriptor, ...SO_ACCEPTCONN, ptr(value), ptr(size)) === 0 && value[0] === 1;
  };
  const isOnPort = (descriptor: number): boolean => {
    const address = new DataView(new ArrayBuffer(ADDRESS_BYTES));
    const size = new Uint32Array([ADDRESS_BYTES]);
    return getsockname(descriptor, ptr(address), ptr(size)) === 0 && address.getUint16(PORT_AT) === port;
  };
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => listens(descriptor) && isOnPort(descriptor));
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
    const libc = openLibc();
    const value = new Uint32Array([afterMs]);
    const descriptors = descriptorsOn(port, libc);
    const set = (descriptor: number): boolean =>
      libc.setsockopt(descriptor, ...TCP_USER_TIMEOUT, ptr(value), value.byteLength) === 0;
    return descriptors.length > 0 && descriptors.every(set);
  } catch {
    return false;
  }
};
