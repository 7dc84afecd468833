import { Failure } from '../../kernel/failure.ts';
import { createFairQueue } from './fair-queue.ts';
import { createOverloadSignal } from './overload-signal.ts';

/** Made once: under overload there is no time to capture a stack trace for every refusal. */
export const OVERLOADED = new Failure('unavailable', 'The service is overloaded. Try again in 1 second.', {
  retryAfterSeconds: 1,
});

type Deps = {
  /** The time in milliseconds, by a clock that is never set back. */
  elapsed(): number;
  /** Whether writes are late: then only pages are served, and those with a known key who read. */
  isLate(): boolean;
};

/** No more than these, and for no longer, are served before the event loop comes round. */
const SLICE = 64;
export const SLICE_MS = 10;

/** With few senders a slice is smaller: who sends much is not to make others wait for long until its own is done. */
const PER_SENDER = 16;

/** Fewer than this do not make an overload: if they wait, the disk is slow or the processor is elsewhere. */
const MANY = 512;

/** Half of what those who are let in may have to wait: the other half is for what is under way. */
const LONGEST_MS = 50;

/** Those whose key is not known have no such promise. */
const LONGEST_FOR_STRANGERS_MS = 1000;

type Waiting = { serve(): void; refuse(): void };

/**
 * Those with a known key, by whether they may write, and others. Pages need no database, and those who watch the service
 * have to hear from it: they are put off, and never refused.
 */
export type Kind = 'read' | 'write' | 'stranger' | 'page';

/** Whose place it is, again and again, however many others wait. */
const PLACES: readonly Kind[] = ['stranger', 'read', 'page', 'write', 'read', 'write', 'page', 'read'];
const PLACES_WHILE_LATE: readonly Kind[] = ['read', 'page'];

/**
 * Those who wait, served in slices: known callers before others, and senders in turns, however much each of them sends.
 * If many wait, those who have waited too long are refused, of whoever has sent most.
 */
export const createTurnScheduler = ({ elapsed, isLate }: Deps) => {
  const queues = {
    read: createFairQueue<Waiting>(),
    write: createFairQueue<Waiting>(),
    stranger: createFairQueue<Waiting>(),
    page: createFairQueue<Waiting>(),
  };
  const { read, write, stranger, page } = queues;
  const shedding = createOverloadSignal(elapsed);
  let place = 0;
  let size = 0;

  const placeIn = (places: readonly Kind[]) => queues[places[place % places.length] as Kind];

  const next = (): Waiting | undefined => {
    place += 1;
    if (isLate()) return placeIn(PLACES_WHILE_LATE).next() ?? read.next() ?? page.next();
    return placeIn(PLACES).next() ?? read.next() ?? write.next() ?? stranger.next() ?? page.next();
  };

  return {
    shedding,
    size: (): number => size,

    /** Resolves when its turn comes. The caller then does its work in one microtask, within the slice. */
    add: (kind: Kind, name: string): Promise<void> =>
      new Promise((resolve, reject) => {
        size += 1;
        const isKnown = kind === 'read' || kind === 'write';
        const serve = (): void => {
          size -= 1;
          if (isKnown) shedding.noteServed();
          resolve();
        };
        const refuse = (): void => {
          size -= 1;
          if (isKnown) shedding.noteRefused();
          reject(OVERLOADED);
        };
        queues[kind].add(name, { serve, refuse }, elapsed());
      }),

    refuseLate(now: number): void {
      for (const { refuse } of read.takeLate(now - LONGEST_MS, MANY)) refuse();
      for (const { refuse } of write.takeLate(now - LONGEST_MS, MANY)) refuse();
      for (const { refuse } of stranger.takeLate(now - LONGEST_FOR_STRANGERS_MS, MANY)) refuse();
    },

    async serve(now: number): Promise<void> {
      const senders = read.senders() + write.senders() + stranger.senders() + page.senders();
      const most = Math.min(SLICE, PER_SENDER * senders);
      for (let served = 0; served < most && size > 0 && elapsed() - now < SLICE_MS; served += 1) {
        const first = next();
        if (!first) return;
        first.serve();
        // Lets the request run, so that the slice sees how long it takes.
        await undefined;
      }
    },
  };
};
