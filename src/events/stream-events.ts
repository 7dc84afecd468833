import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failure.ts';
import { parseInt64 } from '../kernel/int64.ts';
import type { KeyChanges } from '../kernel/key-changes.ts';
import { reads } from '../kernel/operation.ts';
import { isLive } from '../keys/key.ts';
import type { KeyReads } from '../keys/keys.repository.ts';
import type { Arrivals } from './arrivals.ts';
import { isOperators } from './event.ts';
import type { EventReads } from './events.repository.ts';
import { createStream, type Portion, toPortion } from './stream.ts';
import { streamEventsContract } from './stream-events.contract.ts';
import type { createStreamQueue } from './stream-queue.ts';

const HEARTBEAT_MS = 15_000;
const PATIENCE_MS = 30_000;
const AT_ONCE = 100;
/** The longest that a timer can wait. Whoever is sent away that early comes back. */
const LONGEST_MS = 2 ** 31 - 1;

type Deps = {
  arrivals: Pick<Arrivals, 'subscribe'>;
  keyChanges: Pick<KeyChanges, 'subscribe'>;
  /** Calls `listener` when the service is about to stop: nobody could wait for the end of a stream. */
  onStop(listener: () => void): () => void;
  clock: Clock;
  streamQueue: Pick<ReturnType<typeof createStreamQueue<Portion>>, 'read'>;
};

type Repositories = { events: EventReads; keys: Pick<KeyReads, 'find'> };

/** The position that `Last-Event-ID` names, if everything behind it is still there. */
const resume = async (events: EventReads, lastEventId: string | undefined): Promise<bigint> => {
  const { first, last } = await events.range();
  if (lastEventId === undefined) return last;
  const position = parseInt64(lastEventId);
  if (position !== undefined && position >= first - 1n && position <= last) return position;
  throw new Failure('invalid_cursor', 'Last-Event-ID: is unknown or too old; start again without it');
};

export const streamEvents = reads(
  streamEventsContract,
  async (repositories: Repositories, { lastEventId }, call, deps: Deps) => {
    const isOperator = call.scopes.includes('keys:write');
    const portionBehind = async (after: bigint): Promise<Portion> => {
      // All of them, so that what is hidden moves the position on as well.
      const events = await repositories.events.list({ withOperators: true }, { limit: AT_ONCE, order: 'asc', after });
      return toPortion(events, { after, most: AT_ONCE, isShown: ({ type }) => isOperator || !isOperators(type) });
    };
    const subscriptions: (() => void)[] = [];
    const { stream, wake, end } = createStream({
      after: await resume(repositories.events, lastEventId),
      read: (after) => deps.streamQueue.read(call.storeId, `${after} ${isOperator}`, () => portionBehind(after)),
      heartbeatMs: HEARTBEAT_MS,
      patienceMs: PATIENCE_MS,
      ended: () => {
        for (const unsubscribe of subscriptions) unsubscribe();
      },
    });
    subscriptions.push(
      deps.arrivals.subscribe(call.storeId, wake),
      deps.onStop(end),
      // Whatever has changed of the key: its holder comes back with it, or does not.
      deps.keyChanges.subscribe((keyId) => {
        if (keyId === call.keyId) end();
      }),
    );
    if (call.endsAt !== null) {
      const timer = setTimeout(end, Math.min(call.endsAt - deps.clock(), LONGEST_MS));
      subscriptions.push(() => clearTimeout(timer));
    }
    try {
      // Nobody has heard of what became of the key between its check and the subscription.
      const key = await repositories.keys.find(call.keyId ?? '');
      if (!key || !isLive(key, deps.clock())) end();
    } catch (error) {
      end();
      throw error;
    }
    return { stream };
  },
);
