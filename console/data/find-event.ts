import { type Int64, type Petstore, PetstoreError } from '../../client/src/index.ts';
import type { LiveEvent } from './live.ts';

/** The service's maximum page size, in events. */
const NEWEST = 100;
/**
 * Distances to try from the next visible event back to the wanted event, in sequence numbers. The distance 1 may be too
 * short, because the events between the two may be invisible to this key.
 */
const BACK = [1n, 10n, 100n, 1000n];
/** Search time limit in ms. If the key sees no event after the wanted event, the stream would stay silent forever. */
const PATIENCE_MS = 10_000;

type Events = Pick<Petstore, 'events'>;

/**
 * Finds an event by its id, for which the service has no endpoint. The result is null if the event does not exist or
 * the key may not see it. A stream that resumes after the id delivers the next event, and thereby its sequence number.
 * A second stream, from shortly before that number, then delivers the wanted event.
 */
export const findEvent = async (
  { events }: Events,
  id: string,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<LiveEvent | null> => {
  const newest = await events.list({ order: 'desc', limit: NEWEST }, { signal }).page();
  const isIt = (event: LiveEvent) => event.id === id;
  const found = newest.items.find(isIt);
  if (found || !newest.hasNext) return found ?? null;

  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const firstBehind = async (after: Int64 | string, isWanted: (event: LiveEvent) => boolean) => {
    for await (const event of events.stream({ after, signal: patience })) if (isWanted(event)) return event;
    return undefined;
  };
  const search = async (): Promise<LiveEvent | undefined> => {
    const next = await firstBehind(id, () => true);
    if (!next) return undefined;
    const limit = BigInt(next.sequence);
    for (const back of BACK) {
      const after = limit - 1n > back ? limit - 1n - back : 0n;
      const event = await firstBehind(after, (one) => isIt(one) || one.sequence >= limit);
      if (event && isIt(event)) return event;
    }
    return undefined;
  };
  const searched = await search().catch((error) => {
    if (error instanceof PetstoreError && error.code === 'invalid_cursor') return undefined;
    throw error;
  });
  signal.throwIfAborted();
  return searched ?? null;
};
