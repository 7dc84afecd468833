import { createFairQueue } from './fair-queue.ts';
import { OVERLOADED } from './refusals.ts';
import type { Sender } from './sender.ts';
import { createShedding } from './shedding.ts';

type Deps = {
  /** How many transactions wait for their commit, and for how long the first of them has. */
  waiting(): number;
  waitedMs(): number;
  mostWaiting: number;
  /** The time in milliseconds, by a clock that is never set back. */
  elapsed(): number;
  /** The time that this process has had a processor. */
  processorMs(): number;
  /** Has the database do what it would do when the event loop comes round. */
  goOn(): void;
  /** Calls back when the event loop has come round. */
  nextTurn(callback: () => void): void;
  /** Calls back after so many milliseconds. */
  later(callback: () => void, ms: number): void;
};

/** After so long, and so many requests, a turn of the event loop is to end: whoever comes then is served in the next. */
const TURN_MS = 10;
const TURN_REQUESTS = 128;

/** No more than these are served before the event loop comes round. */
const SLICE = 64;

/**
 * A turn that takes the processor for so long although everyone waits is one of connections that bring no request, or are
 * new. Whoever is served inside of it asks again, which makes it longer: less often than this it must not be done.
 */
const LONG_TURN_MS = 25;

/** With so many writes of which the first has waited so long, no more are let in. */
const MANY_WRITES = 256;
const LATE_WRITE_MS = 20;

/** Fewer than this do not make an overload: if they wait, the disk is slow or the processor is elsewhere. */
const MANY = 512;

/** Half of what those who are let in may have to wait: the other half is for what is under way. */
const LONGEST_MS = 50;

/** Those whose key is not known have no such promise. */
const LONGEST_FOR_STRANGERS_MS = 1000;

/** Of so many places one is for somebody whose key is not known and two are for pages, however many others wait. */
const PLACES = 8;

/** While writes are late, nothing happens before the disk has done something: it is looked at so often. */
const LOOK_AGAIN_MS = 2;

type Waiting = { serve(): void; refuse(): void };

/**
 * Who is served, and when. The runtime ends no turn of the event loop while more than 1,024 connections have something
 * to be read, and until it does no timer runs, no sync ends and no write is answered. A connection whose request waits
 * has nothing to be read: so when a turn has lasted too long, whoever comes waits for the next, and the turn ends.
 *
 * Those who wait are served in slices: known callers before others, and senders in turns, however much each of them
 * sends. If many wait, those who have waited too long are refused, of whoever has sent most.
 */
export const createAdmission = ({
  waiting,
  waitedMs,
  mostWaiting,
  elapsed,
  processorMs,
  goOn,
  nextTurn,
  later,
}: Deps) => {
  const known = createFairQueue<Waiting>();
  const strangers = createFairQueue<Waiting>();
  /** Pages need no database, and those who watch the service have to hear from it: they are only put off. */
  const pages = createFairQueue<Waiting>();
  let inThisTurn = 0;
  let turnBeganAt = 0;
  let lookedAt = 0;
  let processorMsBefore: number | undefined;
  let queued = 0;
  let place = 0;
  const shedding = createShedding(elapsed);

  const isLate = (): boolean => {
    const count = waiting();
    return count >= mostWaiting || (count >= MANY_WRITES && waitedMs() > LATE_WRITE_MS);
  };

  const refuseLate = (now: number): void => {
    for (const { refuse } of known.takeLate(now - LONGEST_MS, MANY)) refuse();
    for (const { refuse } of strangers.takeLate(now - LONGEST_FOR_STRANGERS_MS, MANY)) refuse();
  };

  const nextOfAll = (): Waiting | undefined => {
    place = (place + 1) % PLACES;
    const first = place === 0 ? strangers : place % 4 === 2 ? pages : known;
    return first.next() ?? known.next() ?? strangers.next() ?? pages.next();
  };

  const serveSlice = (now: number): void => {
    for (let served = 0; served < SLICE && queued > 0 && elapsed() - now < TURN_MS; served += 1) {
      const next = isLate() ? pages.next() : nextOfAll();
      if (!next) return;
      next.serve();
    }
  };

  /** Goes on inside a turn that does not end, if it is one. */
  const serveInTurn = (now: number): void => {
    lookedAt = now;
    const ms = processorMs();
    processorMsBefore ??= ms;
    if (ms - processorMsBefore < LONG_TURN_MS) return;
    processorMsBefore = ms;
    goOn();
    refuseLate(now);
    serveSlice(now);
  };

  const beginTurn = (now: number): void => {
    [turnBeganAt, lookedAt, processorMsBefore] = [now, now, undefined];
    if (queued > 0 && isLate()) later(endTurn, LOOK_AGAIN_MS);
    else nextTurn(endTurn);
  };

  const endTurn = (): void => {
    inThisTurn = 0;
    if (queued === 0) return;
    const now = elapsed();
    refuseLate(now);
    serveSlice(now);
    if (queued === 0) return;
    inThisTurn = 1;
    beginTurn(elapsed());
  };

  /** Runs `serve` when its turn comes, within the slice, so that what it takes is seen. */
  const queueIn = <Result>(queue: typeof known, name: string, serve: () => Result | Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      queued += 1;
      const run = (): void => {
        queued -= 1;
        try {
          resolve(serve());
        } catch (error) {
          reject(error);
        }
      };
      const refuse = (): void => {
        queued -= 1;
        if (queue === known) shedding.noteRefused();
        reject(OVERLOADED);
      };
      queue.add(name, { serve: run, refuse }, elapsed());
    });

  return {
    /** Whether a request that has just come can be served at once. To be asked of every request, before it waits. */
    isOpen(now: number): boolean {
      inThisTurn += 1;
      if (inThisTurn === 1) beginTurn(now);
      if (queued === 0 && (inThisTurn <= TURN_REQUESTS || now - turnBeganAt <= TURN_MS) && !isLate()) {
        shedding.noteServed();
        return true;
      }
      if (now - lookedAt >= LONG_TURN_MS) serveInTurn(now);
      return false;
    },

    /** Serves it when its turn comes, or refuses it. */
    wait<Result>({ name, isKnown }: Sender, serve: () => Result | Promise<Result>): Promise<Result> {
      if (waiting() >= mostWaiting) {
        if (isKnown) shedding.noteRefused();
        throw OVERLOADED;
      }
      return queueIn(isKnown ? known : strangers, name, () => {
        if (isKnown) shedding.noteServed();
        return serve();
      });
    },

    /** Resolves when its turn has come. */
    waitForPage: ({ name }: Sender): Promise<void> => queueIn(pages, name, () => undefined),

    isSheddingAll: shedding.isSheddingAll,
  };
};

export type Admission = ReturnType<typeof createAdmission>;
