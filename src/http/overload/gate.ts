import { Failure } from '../../kernel/failure.ts';
import type { Clock } from '../../kernel/runtime.ts';
import type { Verdict } from '../../limits/window.ts';
import { networkOf } from '../input/client-address.ts';
import { createFairQueue } from './fair-queue.ts';

type Deps = {
  backlog: { readonly pending: number };
  waitedMs(): number;
  maxWaiting: number;
  elapsed(): number;
  processorMs(): number;
  forceProgress(): void;
  nextTurn(callback: () => void): void;
  later(callback: () => void, ms: number): void;
};

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

// New requests are queued once the current turn of the event loop has served this many requests and has lasted longer
// than `SLICE_MS`. With fewer requests, the turn ends on its own.
const TURN_REQUESTS = 1024;

const SLICE = 64;
const SLICE_MS = 10;

// If a turn of the event loop uses this many milliseconds of processor time, the gate serves some queued requests
// within that turn. Otherwise, a flood of new connections could delay the queued requests.
const LONG_TURN_MS = 25;

// Writes are late if at least this many are pending and the oldest has waited longer than `LATE_WRITE_MS`. Until the
// writes catch up, the service serves only read requests with a known key, and pages.
const MANY_WRITES = 256;
const LATE_WRITE_MS = 20;

const RECHECK_MS = 2;

// While a queue holds at most this many requests, none is refused for waiting too long, because the disk may just be
// slow.
const MANY = 512;

const LONGEST_MS = 50;

// If the queue was empty less than this many ms ago, the load is a burst, and requests may wait for up to this many ms.
const BURST_MS = 200;

const LONGEST_FOR_STRANGERS_MS = 1000;

type Waiting = { serve(): void; refuse(): void };

/** A `stranger` is a request without a known key. */
type Kind = 'read' | 'write' | 'stranger' | 'page';

const PLACES: readonly Kind[] = ['stranger', 'read', 'page', 'write', 'read', 'write', 'page', 'read'];
const PLACES_WHILE_LATE: readonly Kind[] = ['read', 'page'];

const SIGNAL_MS = 5000;
const MIN_REFUSED = 100;
const SERVED_SHARE = 100;

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

type SchedulerDeps = { elapsed(): number; isLate(): boolean; signal: ReturnType<typeof createOverloadSignal> };

const createTurnScheduler = ({ elapsed, isLate, signal }: SchedulerDeps) => {
  const queues = {
    read: createFairQueue<Waiting>(),
    write: createFairQueue<Waiting>(),
    stranger: createFairQueue<Waiting>(),
    page: createFairQueue<Waiting>(),
  };
  const { read, write, stranger, page } = queues;
  let place = 0;
  let emptyAt = 0;

  const placeIn = (places: readonly Kind[]) => queues[places[place % places.length] as Kind];

  const next = (): Waiting | undefined => {
    place += 1;
    if (isLate()) return placeIn(PLACES_WHILE_LATE).next() ?? read.next() ?? page.next();
    return placeIn(PLACES).next() ?? read.next() ?? write.next() ?? stranger.next() ?? page.next();
  };

  const scheduler = {
    size: 0,

    /**
     * Resolves when the request may run. The request's work must fit in one microtask, so that `serveSlice` can measure
     * its time.
     */
    add: (kind: Kind, name: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const now = elapsed();
        if (scheduler.size === 0) emptyAt = now;
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
        queues[kind].add(name, { serve, refuse }, now);
      }),

    async serveSlice(now: number): Promise<void> {
      const longestMs = now - emptyAt <= BURST_MS ? BURST_MS : LONGEST_MS;
      for (const { refuse } of read.takeLate(now - longestMs, MANY)) refuse();
      for (const { refuse } of write.takeLate(now - longestMs, MANY)) refuse();
      for (const { refuse } of stranger.takeLate(now - LONGEST_FOR_STRANGERS_MS, MANY)) refuse();
      for (let count = 0; count < SLICE && scheduler.size > 0 && elapsed() - now < SLICE_MS; count += 1) {
        const first = next();
        if (!first) return;
        first.serve();
        await undefined;
      }
    },
  };
  return scheduler;
};

/**
 * The runtime does not end a turn of the event loop while more than 1,024 connections have data to read. Until the turn
 * ends, no timer runs and no response to a write is sent. Queueing requests lets the turn end, because a connection
 * whose request is queued has no more data to read.
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
    // If the count were 0, a request that arrives during `serveSlice` would begin another turn before this turn ends.
    requestsInTurn = 1;
    await scheduler.serveSlice(elapsed());
    if (scheduler.size === 0) requestsInTurn = 0;
    else beginTurn(elapsed());
  };

  return {
    /** Must be called exactly once per request, because each call counts a request. */
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
