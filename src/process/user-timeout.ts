import { dlopen, ptr } from 'bun:ffi';
import { readdirSync } from 'node:fs';
import { LIBC } from './libc.ts';

/** Numbers of Linux: of the layers, and of their options. */
const [SOL_SOCKET, SO_ACCEPTCONN, IPPROTO_TCP, TCP_USER_TIMEOUT] = [1, 30, 6, 18];

const openLibrary = () =>
  dlopen(LIBC, {
    setsockopt: { args: ['int', 'int', 'int', 'ptr', 'u32'], returns: 'int' },
    getsockopt: { args: ['int', 'int', 'int', 'ptr', 'ptr'], returns: 'int' },
    getsockname: { args: ['int', 'ptr', 'ptr'], returns: 'int' },
  }).symbols;

type Library = ReturnType<typeof openLibrary>;

/** Room for the address of any family. In those of the internet the port is the second pair of bytes. */
const ADDRESS_BYTES = 128;
const PORT_AT = 2;

/** Asked of each descriptor: the system's table of sockets is as long as the machine is busy. */
const isListeningOn = (port: number, descriptor: number, { getsockopt, getsockname }: Library): boolean => {
  const isListening = new Uint32Array(1);
  const length = new Uint32Array([isListening.byteLength]);
  if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, ptr(isListening), ptr(length)) !== 0) return false;
  const address = new DataView(new ArrayBuffer(ADDRESS_BYTES));
  length[0] = ADDRESS_BYTES;
  if (isListening[0] !== 1 || getsockname(descriptor, ptr(address), ptr(length)) !== 0) return false;
  return address.getUint16(PORT_AT) === port;
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
    const library = openLibrary();
    const value = new Uint32Array([afterMs]);
    const descriptors = readdirSync('/proc/self/fd')
      .map(Number)
      .filter((descriptor) => isListeningOn(port, descriptor, library));
    const set = (descriptor: number) =>
      library.setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, ptr(value), value.byteLength) === 0;
    return descriptors.length > 0 && descriptors.every(set);
  } catch {
    return false;
  }
};
