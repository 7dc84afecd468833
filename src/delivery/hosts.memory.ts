import { createLane, type Lane } from './host-budget.ts';

/** What all webhooks that lead to one host and port get together, of whatever stores. */
const SHARED = { perSecond: 20, atOnce: 32 };
/** How much of that may be further attempts at what has failed. */
const RETRIES = { perSecond: 5, atOnce: 4 };

export type Destination = { all: Lane; retries: Lane };

/** Names a host and port, one name for all spellings of them. */
export const destinationName = (text: string): string => {
  const url = new URL(text);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return `${url.hostname.replace(/\.$/, '')}:${port}`;
};

/** The hosts that are being sent to, and who waits for them. */
export const createDestinations = (stopwatch: () => number) => {
  const known = new Map<string, Destination>();
  const names = new Map<string, string>();
  const contended = new Set<Lane>();

  const nameOf = (url: string): string => {
    const name = names.get(url) ?? destinationName(url);
    names.set(url, name);
    return name;
  };

  return {
    of(url: string): Destination {
      const name = nameOf(url);
      const found = known.get(name);
      if (found) return found;
      const made = { all: createLane(SHARED, stopwatch), retries: createLane(RETRIES, stopwatch) };
      known.set(name, made);
      return made;
    },

    /** Whether one may start now. A store that has to wait is woken when its turn comes. */
    ask(lane: Lane, storeId: bigint, look: number): boolean {
      const isFree = lane.ask(storeId, look);
      if (!isFree) contended.add(lane);
      return isFree;
    },

    endLook(storeId: bigint | undefined, look: number): void {
      for (const lane of contended) {
        lane.endLook(storeId, look);
        if (!lane.isContended()) contended.delete(lane);
      }
    },

    /** The stores whose turn it is, and how long until that of another. */
    nextTurns(): { storeIds: Set<bigint>; inMs: number } {
      const turns = { storeIds: new Set<bigint>(), inMs: Number.POSITIVE_INFINITY };
      for (const lane of contended) {
        const next = lane.next();
        if (next && next.inMs === 0) turns.storeIds.add(next.storeId);
        else if (next) turns.inMs = Math.min(turns.inMs, next.inMs);
      }
      return turns;
    },

    /** Forgets hosts to which nothing is sent, and the spellings of all. Not during a look, which goes on with those it has found. */
    forget(): void {
      names.clear();
      for (const [name, { all, retries }] of known) if (all.isIdle() && retries.isIdle()) known.delete(name);
    },
  };
};
