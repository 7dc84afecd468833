import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Verdict } from '../../limits/window.ts';
import { networkOf } from '../input/client-address.ts';
import { createFairQueue } from './fair-queue.ts';

type Deps = {
  backlog: { readonly pending: number };
  waitedMs(): number;
  maxWaiting: number;
  /** A monotonic clock in milliseconds. */
  elapsed(): number;
  processorMs(): number;
  /** Immediately runs the database work that is scheduled for the next turn of the event loop. */
  forceProgress(): void;
  nextTurn(callback: () => void): void;
  later(callback: () => void, ms: number): void;
};

/** Created once, because capturing a stack trace for every refusal would take too long under overload. */
export const OVERLOADED = new Failure('unavailable', 'The service is overloaded. Try again in 1 second.', {
  retryAfterSeconds: 1,
});

export type ClientIdentity = { name: string; isKnown: boolean; mayWrite: boolean };

const READING = ['GET', 'HEAD', 'OPTIONS'];

type Identified = { request: Request; caller: { keyId: string } | undefined; address: string };

export const createIdentifyClient =
  (recognise: (authorization: string | null) => string | undefined) =>
  ({ request, caller, address }: Identified): ClientIdentity => {
    const keyId = caller?.keyId ?? recognise(request.headers.get('authorization'));
    const mayWrite = !READING.includes(request.method);
    return { name: keyId ?? networkOf(address), isKnown: keyId !== undefined, mayWrite };
  };

/** Maximum number of remembered networks. Once a network is forgotten, its keys are again looked up without a queue. */
const MAX_NETWORKS = 10_000;

export const createThrottledNetworks = (clock: Clock) => {
  const untils = new Map<string, number>();
  return {
    note(network: string, verdict: Verdict | undefined): void {
      if (!verdict?.refused) return;
      const [oldest] = untils.keys();
      if (oldest !== undefined && untils.size >= MAX_NETWORKS) untils.delete(oldest);
      untils.set(network, verdict.refused.until);
    },
    has: (network: string): boolean => (untils.get(network) ?? 0) > clock(),
  };
};

export type ThrottledNetworks = ReturnType<typeof createThrottledNetworks>;

/** Once a turn of the event loop has had more requests than this and lasted over `SLICE_MS`, new requests wait. */
const TURN_REQUESTS = 256;

/** Bounds of a slice: the maximum number of waiting requests that it serves, and its maximum duration in ms. */
const SLICE = 64;
const SLICE_MS = 10;

/** Requests per waiting client in a slice. With few clients, slices are smaller, so that no client must wait long. */
const PER_CLIENT = 16;

/**
 * If a turn of the event loop uses this much processor time, in ms, while all requests wait, the turn is busy with new
 * or silent connections. A slice is then served inside the turn. The served clients send more requests, which makes the
 * turn longer. Therefore, this is also the minimum interval between slices.
 */
const LONG_TURN_MS = 25;

/**
 * If this many writes are pending and the oldest has waited this long, in ms, then writes are late. While writes are
 * late, only pages and reads with a known key are served.
 */
const MANY_WRITES = 256;
const LATE_WRITE_MS = 20;

/** Interval between checks while writes are late, in ms. No write can complete until the disk makes progress. */
const RECHECK_MS = 2;

/** Fewer waiting requests than this are not overload. A slow disk or another process may be the cause. */
const MANY = 512;

/** Maximum time in the queue under overload, in ms: half of a request's time budget. The other half is for the work. */
const LONGEST_MS = 50;

const LONGEST_FOR_STRANGERS_MS = 1000;

type Waiting = { serve(): void; refuse(): void };

/** Requests with a known key (`read`, `write`) or without (`stranger`). Pages use no database and are never refused. */
type Kind = 'read' | 'write' | 'stranger' | 'page';

const PLACES: readonly Kind[] = ['stranger', 'read', 'page', 'write', 'read', 'write', 'page', 'read'];
const PLACES_WHILE_LATE: readonly Kind[] = ['read', 'page'];

/** Interval between updates of the overload signal, in ms. A proxy must not see the signal change too often. */
const SIGNAL_MS = 5000;
const MIN_REFUSED = 100;
/** The overload signal is set if more than this many requests are refused for each served request. */
const SERVED_SHARE = 100;

/**
 * Reports whether almost all recent requests with a known key were refused. Requests that were served without waiting
 * count as served, even without a key.
 */
const createOverloadSignal = (elapsed: () => number) => {
  let computedAt = elapsed();
  let isOverloaded = false;
  const signal = {
    served: 0,
    refused: 0,
    isSheddingAll(): boolean {
      const now = elapsed();
      if (now - computedAt >= SIGNAL_MS) {
        isOverloaded = signal.refused >= MIN_REFUSED && signal.served * SERVED_SHARE < signal.refused;
        [signal.served, signal.refused, computedAt] = [0, 0, now];
      }
      return isOverloaded;
    },
  };
  return signal;
};

type SchedulerDeps = {
  elapsed(): number;
  isLate(): boolean;
  signal: ReturnType<typeof createOverloadSignal>;
};

/**
 * Serves waiting requests in slices. Known keys have priority, and clients take turns, no matter how many requests each
 * of them sends. If many requests are waiting, those that have waited too long are refused, starting with the clients
 * that sent the most.
 */
const createTurnScheduler = ({ elapsed, isLate, signal }: SchedulerDeps) => {
  const queues = {
    read: createFairQueue<Waiting>(),
    write: createFairQueue<Waiting>(),
    stranger: createFairQueue<Waiting>(),
    page: createFairQueue<Waiting>(),
  };
  const { read, write, stranger, page } = queues;
  let place = 0;

  const placeIn = (places: readonly Kind[]) => queues[places[place % places.length] as Kind];

  const next = (): Waiting | undefined => {
    place += 1;
    if (isLate()) return placeIn(PLACES_WHILE_LATE).next() ?? read.next() ?? page.next();
    return placeIn(PLACES).next() ?? read.next() ?? write.next() ?? stranger.next() ?? page.next();
  };

  const scheduler = {
    size: 0,

    /** Resolves when the request's turn comes. The request then does its work in one microtask, within the slice. */
    add: (kind: Kind, name: string): Promise<void> =>
      new Promise((resolve, reject) => {
        scheduler.size += 1;
        const isKnown = kind === 'read' || kind === 'write';
        const serve = (): void => {
          scheduler.size -= 1;
          if (isKnown) signal.served += 1;
          resolve();
        };
        const refuse = (): void => {
          scheduler.size -= 1;
          if (isKnown) signal.refused += 1;
          reject(OVERLOADED);
        };
        queues[kind].add(name, { serve, refuse }, elapsed());
      }),

    async serveSlice(now: number): Promise<void> {
      for (const { refuse } of read.takeLate(now - LONGEST_MS, MANY)) refuse();
      for (const { refuse } of write.takeLate(now - LONGEST_MS, MANY)) refuse();
      for (const { refuse } of stranger.takeLate(now - LONGEST_FOR_STRANGERS_MS, MANY)) refuse();
      const clients = read.clients() + write.clients() + stranger.clients() + page.clients();
      const most = Math.min(SLICE, PER_CLIENT * clients);
      for (let count = 0; count < most && scheduler.size > 0 && elapsed() - now < SLICE_MS; count += 1) {
        const first = next();
        if (!first) return;
        first.serve();
        // Lets the request run, so that its time counts towards the slice.
        await undefined;
      }
    },
  };
  return scheduler;
};

/**
 * Decides which requests are served, and when. The runtime does not end a turn of the event loop while more than 1,024
 * connections have data to read. Until the turn ends, no timer runs, no sync completes and no write is answered. A
 * connection whose request is waiting has no data to read. Once a turn has lasted too long, new requests therefore wait
 * for the next turn, so that the current turn can end.
 */
export const createGate = (deps: Deps) => {
  const { backlog, waitedMs, maxWaiting, elapsed, processorMs, forceProgress, nextTurn, later } = deps;
  const isLate = (): boolean => {
    const { pending } = backlog;
    return pending >= maxWaiting || (pending >= MANY_WRITES && waitedMs() > LATE_WRITE_MS);
  };
  const signal = createOverloadSignal(elapsed);
  const scheduler = createTurnScheduler({ elapsed, isLate, signal });
  let requestsInTurn = 0;
  let turnBeganAt = 0;
  let checkedAt = 0;
  let processorMsBefore: number | undefined;

  const serveInTurn = (now: number): void => {
    checkedAt = now;
    const ms = processorMs();
    processorMsBefore ??= ms;
    if (ms - processorMsBefore < LONG_TURN_MS) return;
    processorMsBefore = ms;
    forceProgress();
    void scheduler.serveSlice(now);
  };

  const beginTurn = (now: number): void => {
    turnBeganAt = now;
    checkedAt = now;
    processorMsBefore = undefined;
    if (scheduler.size > 0 && isLate()) later(endTurn, RECHECK_MS);
    else nextTurn(endTurn);
  };

  const endTurn = (): void => {
    requestsInTurn = 0;
    if (scheduler.size > 0) void serveTurn();
  };

  const serveTurn = async (): Promise<void> => {
    // If a client that is served here sends another request, that request must not start a second turn.
    requestsInTurn = 1;
    await scheduler.serveSlice(elapsed());
    if (scheduler.size === 0) requestsInTurn = 0;
    else beginTurn(elapsed());
  };

  return {
    /** Whether a new request can be served now. Must be called for every request, before the request waits. */
    isOpen(now: number): boolean {
      requestsInTurn += 1;
      if (requestsInTurn === 1) beginTurn(now);
      if (scheduler.size === 0 && (requestsInTurn <= TURN_REQUESTS || now - turnBeganAt <= SLICE_MS) && !isLate()) {
        signal.served += 1;
        return true;
      }
      if (now - checkedAt >= LONG_TURN_MS) serveInTurn(now);
      return false;
    },

    wait({ name, isKnown, mayWrite }: ClientIdentity): Promise<void> {
      if (isKnown && !mayWrite) return scheduler.add('read', name);
      if (backlog.pending < maxWaiting) return scheduler.add(isKnown ? 'write' : 'stranger', name);
      if (isKnown) signal.refused += 1;
      throw OVERLOADED;
    },

    waitForPage: ({ name }: ClientIdentity): Promise<void> => scheduler.add('page', name),

    isSheddingAll: signal.isSheddingAll,
  };
};

export type Gate = ReturnType<typeof createGate>;
