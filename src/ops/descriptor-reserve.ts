import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tryTo } from '../kernel/runtime.ts';
import { libc, ptr } from './libc.ts';
import { descriptorsOn } from './user-timeout.ts';

export const ENOUGH_FILES = 10_000;

export const fileDescriptorLimit = (): number | undefined => {
  const limits = tryTo(() => readFileSync('/proc/self/limits', 'utf8')) ?? '';
  const [, limit] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return limit === undefined ? undefined : Number(limit);
};

const MAX_RESERVED = 64;
// The service accepts connections again when, in addition to the reserve, this many descriptors are free. Without this
// margin, the service would keep switching between accepting and refusing connections.
const SPARE = 16;
const POLL_MS = 100;
const QUIET_MS = 60_000;

const EPOLL_CTL_MOD = 3;
/** Byte offset of `data` in `struct epoll_event`, which is packed only on x64. */
const DATA_AT = process.arch === 'x64' ? 4 : 8;

type Watched = { epoll: number; socket: number; events: number; data: bigint };

const findWatched = (socket: number): Watched | undefined => {
  const isEpoll = (descriptor: string): boolean =>
    tryTo(() => readlinkSync(`/proc/self/fd/${descriptor}`)) === 'anon_inode:[eventpoll]';
  for (const epoll of readdirSync('/proc/self/fd').filter(isEpoll)) {
    const line = new RegExp(`^tfd:\\s+${socket} events:\\s+(\\w+) data:\\s+(\\w+)`, 'm');
    const [, events, data] = line.exec(readFileSync(`/proc/self/fdinfo/${epoll}`, 'utf8')) ?? [];
    if (events && data)
      return { epoll: Number(epoll), socket, events: Number.parseInt(events, 16), data: BigInt(`0x${data}`) };
  }
  return undefined;
};

const setAccepting = (watched: readonly Watched[], isAccepting: boolean): void => {
  for (const { epoll, socket, events, data } of watched) {
    const event = new DataView(new ArrayBuffer(16));
    event.setUint32(0, isAccepting ? events : 0, true);
    event.setBigUint64(DATA_AT, data, true);
    libc().epoll_ctl(epoll, EPOLL_CTL_MOD, socket, ptr(event));
  }
};

const findListening = (port: number): Watched[] | undefined => {
  if (process.platform !== 'linux') return undefined;
  return tryTo(() => {
    const sockets = descriptorsOn(port);
    const watched = sockets.flatMap((socket) => findWatched(socket) ?? []);
    return sockets.length > 0 && watched.length === sockets.length ? watched : undefined;
  });
};

/** Opens `/proc/self`, because a minimal root file system may have no `/dev/null`. This module needs `/proc` anyway. */
const takePlaces = (count: number): number[] => {
  const places: number[] = [];
  try {
    while (places.length < count) places.push(openSync('/proc/self', 'r'));
  } catch {}
  return places;
};
const release = (places: number[]): void => {
  for (const place of places.splice(0)) closeSync(place);
};

/**
 * Makes the runtime start its thread for outgoing requests now. If the thread started later, when no descriptor is
 * free, the runtime would crash.
 */
export const startClientThread = (): Promise<unknown> => fetch('http://127.0.0.1:0/').catch(() => undefined);

type Order = { port: number; limit: number; warn(advice: string): void };

/**
 * When no descriptor is free, the runtime's event loop spins in `accept`, and the runtime crashes if it starts a thread.
 * Therefore, this function reserves some descriptors. When all other descriptors are in use, the function closes the
 * reserved descriptors and stops accepting connections, so that new clients wait in the system's queue.
 *
 * The runtime has no setting that stops it from accepting connections, so the function changes the runtime's epoll set
 * (only on Linux).
 */
export const keepReserve = ({ port, limit, warn }: Order): { stop(): void } => {
  const listening = findListening(port);
  if (!listening) return { stop: () => undefined };
  const size = Math.min(MAX_RESERVED, Math.floor(limit / 8));
  const reserve = takePlaces(size);
  let isAccepting = true;
  let warnedAt = Number.NEGATIVE_INFINITY;

  const pause = (): void => {
    setAccepting(listening, false);
    isAccepting = false;
    release(reserve);
    if (performance.now() - warnedAt < QUIET_MS) return;
    warnedAt = performance.now();
    warn(`all ${limit} file descriptors are in use, so new connections wait; raise the limit (LimitNOFILE, ulimit -n)`);
  };
  const resumeIfFree = (): void => {
    const places = takePlaces(size + SPARE);
    isAccepting = places.length === size + SPARE;
    if (isAccepting) reserve.push(...places.splice(0, size));
    release(places);
    if (isAccepting) setAccepting(listening, true);
  };
  const look = (): void => {
    const place = takePlaces(1);
    const isFull = place.length === 0;
    release(place);
    if (!isAccepting) resumeIfFree();
    else if (isFull) pause();
  };
  const timer = setInterval(look, POLL_MS);
  // The epoll set must not be changed after `stop`, because the descriptor of the closed socket may already belong to
  // another file.
  return {
    stop(): void {
      clearInterval(timer);
      release(reserve);
    },
  };
};
