import { createFairQueue } from './fair-queue.ts';

type Deps = { elapsed(): number; later(callback: () => void, ms: number): void };

const PER_SECOND = 2000;

const BURST = 2000;

/** Maximum number of queued error responses. Sending them all takes about 2.5 s. */
const MOST = 5000;

const TICK_MS = 10;

const PER_TICK = 40;

/**
 * Error responses are delayed, because clients that retry immediately would take processor time from other clients.
 * Clients take turns, so a client with a single error does not wait long.
 */
export const createRefusalPacing = ({ elapsed, later }: Deps) => {
  const queue = createFairQueue<() => void>();
  let saved = BURST;
  let savedAt = elapsed();
  let isTicking = false;
  let isOver = false;

  const save = (): void => {
    const now = elapsed();
    saved = Math.min(BURST, saved + ((now - savedAt) * PER_SECOND) / 1000);
    savedAt = now;
  };
  const tick = (): void => {
    isTicking = false;
    save();
    for (let sent = 0; sent < PER_TICK && saved >= 1 && queue.size() > 0; sent += 1, saved -= 1) queue.next()?.();
    if (queue.size() > 0) startTicking();
  };
  const startTicking = (): void => {
    if (isTicking) return;
    isTicking = true;
    later(tick, TICK_MS);
  };

  return {
    /** If the result is false, the caller must send the error response now and close the connection. */
    wait(name: string, canWait = true): true | false | Promise<true> {
      save();
      if (isOver || (saved >= 1 && queue.size() === 0)) {
        saved -= 1;
        return true;
      }
      if (!canWait || queue.size() >= MOST) return false;
      startTicking();
      return new Promise((resolve) => queue.add(name, () => resolve(true), elapsed()));
    },

    end(): void {
      isOver = true;
      for (let next = queue.next(); next; next = queue.next()) next();
    },
  };
};

export type RefusalPacing = ReturnType<typeof createRefusalPacing>;
