import { readdirSync } from 'node:fs';
import { tryTo } from '../kernel/runtime.ts';
import { libc, ptr } from './libc.ts';

const SO_ACCEPTCONN = [1, 30] as const;
const TCP_USER_TIMEOUT = [6, 18] as const;

const ADDRESS_BYTES = 28;
const PORT_AT = 2;

const listens = (descriptor: number): boolean => {
  const value = new Uint32Array(1);
  const size = new Uint32Array([value.byteLength]);
  return libc().getsockopt(descriptor, ...SO_ACCEPTCONN, ptr(value), ptr(size)) === 0 && value[0] === 1;
};

const isOnPort = (descriptor: number, port: number): boolean => {
  const address = new DataView(new ArrayBuffer(ADDRESS_BYTES));
  const size = new Uint32Array([ADDRESS_BYTES]);
  return libc().getsockname(descriptor, ptr(address), ptr(size)) === 0 && address.getUint16(PORT_AT) === port;
};

/**
 * Inspects only this process's descriptors, because searching the system's socket table would double the startup time.
 */
export const descriptorsOn = (port: number): number[] =>
  readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => listens(descriptor) && isOnPort(descriptor, port));

/**
 * Without TCP_USER_TIMEOUT, the system takes 15 minutes to detect that a client has disappeared, and never detects that
 * a client has stopped reading. New connections inherit this option from the listening socket.
 */
export const endUnacknowledged = (port: number, afterMs: number): boolean => {
  if (process.platform !== 'linux') return false;
  const value = new Uint32Array([afterMs]);
  const set = (descriptor: number): boolean =>
    libc().setsockopt(descriptor, ...TCP_USER_TIMEOUT, ptr(value), value.byteLength) === 0;
  const descriptors = tryTo(() => descriptorsOn(port)) ?? [];
  return descriptors.length > 0 && descriptors.every(set);
};
