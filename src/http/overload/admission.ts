import type { ClientIdentity } from './client-identity.ts';
import { createTurnScheduler, OVERLOADED, SLICE_MS } from './turn-scheduler.ts';

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
  forceProgress(): void;
  /** Calls back when the event loop has come round. */
  nextTurn(callback: () => void): void;
  /** Calls back after so many milliseconds. */
  later(callback: () => void, ms: number): void;
};

/** In a turn of the event loop that has had so many requests and lasts longer than a slice, whoever comes waits. */
const TURN_REQUESTS = 256;

/**
 * A turn that takes the processor for so long although everyone waits is one of connections that bring no request, or are
 * new. Whoever is served inside of it asks again, which makes it longer: more often than this it must not be done.
 */
const LONG_TURN_MS = 25;

/** With so many writes of which the first has waited so long, no more are let in; who reads and is known need not wait for the disk. */
const MANY_WRITES = 256;
const LATE_WRITE_MS = 20;

/** While writes are late, nothing happens before the disk has done something: it is looked at so often. */
const LOOK_AGAIN_MS = 2;

/**
 * Who is served, and when. The runtime ends no turn of the event loop while more than 1,024 connections have something
 * to be read, and until it does no timer runs, no sync ends and no write is answered. A connection whose request waits
 * has nothing to be read: so when a turn has lasted too long, whoever comes waits for the next, and the turn ends.
 */
export const createAdmission = (deps: Deps) => {
  const { waiting, waitedMs, mostWaiting, elapsed, processorMs, forceProgress, nextTurn, later } = deps;
  const isLate = (): boolean => {
    const count = waiting();
    return count >= mostWaiting || (count >= MANY_WRITES && waitedMs() > LATE_WRITE_MS);
  };
  const slices = createTurnScheduler({ elapsed, isLate });
  const { shedding } = slices;
  let inThisTurn = 0;
  let turnBeganAt = 0;
  let lookedAt = 0;
  let processorMsBefore: number | undefined;

  /** Goes on inside a turn that does not end, if it is one. */
  const serveInTurn = (now: number): void => {
    lookedAt = now;
    const ms = processorMs();
    processorMsBefore ??= ms;
    if (ms - processorMsBefore < LONG_TURN_MS) return;
    processorMsBefore = ms;
    forceProgress();
    slices.refuseLate(now);
    void slices.serve(now);
  };

  const beginTurn = (now: number): void => {
    turnBeganAt = now;
    lookedAt = now;
    processorMsBefore = undefined;
    if (slices.size() > 0 && isLate()) later(endTurn, LOOK_AGAIN_MS);
    else nextTurn(endTurn);
  };

  const endTurn = async (): Promise<void> => {
    inThisTurn = 0;
    if (slices.size() === 0) return;
    // A request that is served here and sends another must not begin a second turn.
    inThisTurn = 1;
    const now = elapsed();
    slices.refuseLate(now);
    await slices.serve(now);
    if (slices.size() === 0) inThisTurn = 0;
    else beginTurn(elapsed());
  };

  return {
    /** Whether a request that has just come can be served at once. To be asked of every request, before it waits. */
    isOpen(now: number): boolean {
      inThisTurn += 1;
      if (inThisTurn === 1) beginTurn(now);
      if (slices.size() === 0 && (inThisTurn <= TURN_REQUESTS || now - turnBeganAt <= SLICE_MS) && !isLate()) {
        shedding.noteServed();
        return true;
      }
      if (now - lookedAt >= LONG_TURN_MS) serveInTurn(now);
      return false;
    },

    /** Resolves when its turn has come, or refuses it. */
    wait({ name, isKnown, mayWrite }: ClientIdentity): Promise<void> {
      if (isKnown && !mayWrite) return slices.add('read', name);
      if (waiting() < mostWaiting) return slices.add(isKnown ? 'write' : 'stranger', name);
      if (isKnown) shedding.noteRefused();
      throw OVERLOADED;
    },

    /** Resolves when its turn has come. */
    waitForPage: ({ name }: ClientIdentity): Promise<void> => slices.add('page', name),

    isSheddingAll: shedding.isSheddingAll,
  };
};

export { OVERLOADED };
export type Admission = ReturnType<typeof createAdmission>;
