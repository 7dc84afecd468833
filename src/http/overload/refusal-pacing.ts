import { createFairQueue } from './fair-queue.ts';

type Deps = {
  /** The time in milliseconds, by a clock that is never set back. */
  elapsed(): number;
  /** Calls back after so many milliseconds. */
  later(callback: () => void, ms: number): void;
};

/** So many refusals a second are sent: some 5 % of what a processor can do. */
const PER_SECOND = 2000;

/** What comes after a quiet second is sent at once. */
const BURST = 2000;

/** So many may wait: two and a half seconds, unless the processor is elsewhere. */
const MOST = 5000;

const TICK_MS = 10;

/** No more than these between two turns of the event loop: a processor that is busy elsewhere is not to be spent on refusals. */
const PER_TICK = 40;

/**
 * Refusals that are sent later than they could be. Whoever asks again as soon as it is refused would be refused all the
 * more often the quicker that is done, and leave no time for others. Those who wait are let go in turns, so that
 * nobody waits long who is refused once.
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
    /**
     * When a refusal to whoever has this name may be sent. False if it would have to wait and cannot, or too many do: at
     * once, and the connection ends.
     */
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

    /** Everyone is let go, now and from here on. */
    end(): void {
      isOver = true;
      for (let next = queue.next(); next; next = queue.next()) next();
    },
  };
};

export type RefusalPacing = ReturnType<typeof createRefusalPacing>;
