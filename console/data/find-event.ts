import { type Int64, type Petstore, PetstoreError } from '../../client/src/index.ts';
import type { LiveEvent } from './live.ts';

/** Maximum page size of a request. */
const NEWEST = 100;
/** How far to step back, in sequence numbers. Events that this key may not see can be in between. */
const BACK = [1n, 10n, 100n, 1000n];
/** Time limit in ms. The stream stays silent if the key sees no event after the wanted one. */
const PATIENCE_MS = 10_000;

type Events = Pick<Petstore, 'events'>;

/**
 * Finds one event by id; null if it does not exist or the key may not see it. The service has no endpoint for this. A
 * stream that resumes after the id gives the next event's sequence. A stream from shortly before that sequence then
 * starts with the event itself.
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
