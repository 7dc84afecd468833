import { faulty } from '../kernel/failure.ts';
import type { MaybePromise } from '../kernel/runtime.ts';
import { parseInt64 } from '../kernel/schema.ts';
import type { EventReads } from '../resources/events/events.repository.ts';

const PER_REQUEST = 1000n;

const EVENT_ID = /^evt_\w{24}$/;

type Deps = {
  events: Pick<EventReads, 'range' | 'sequenceOf'>;
  inTurn(key: string, read: () => Promise<bigint | undefined>): Promise<bigint | undefined>;
  pay(): MaybePromise<void>;
};

export const resumeStream = async ({ events, inTurn, pay }: Deps, lastEventId: string | undefined) => {
  const { first, last } = await events.range();
  if (lastEventId === undefined) return { after: last, last };

  /** Searches without an index, because an index on event ids would more than double the cost of writes. */
  const search = async (id: string): Promise<bigint | undefined> => {
    for (let upTo = last; upTo >= first; upTo -= PER_REQUEST) {
      if (upTo < last) await pay();
      const found = await inTurn(`${id} ${upTo}`, () => events.sequenceOf(id, { above: upTo - PER_REQUEST, upTo }));
      if (found !== undefined) return found;
    }
    return undefined;
  };

  const after = EVENT_ID.test(lastEventId) ? await search(lastEventId) : parseInt64(lastEventId);
  if (after !== undefined && after >= first - 1n && after <= last) return { after, last };
  throw faulty('invalid_cursor', { header: 'Last-Event-ID', detail: 'is unknown or too old; reconnect without it' });
};

/** Every 1,000 replayed events count as one request. Events that occur after the stream has started are free. */
export const createReplayCharge = (last: bigint, pay: Deps['pay']) => {
  let replayed = 0n;
  return (from: bigint, to: bigint): MaybePromise<void> => {
    const past = (to < last ? to : last) - from;
    if (past <= 0n) return undefined;
    const paid = replayed / PER_REQUEST;
    replayed += past;
    return replayed / PER_REQUEST > paid ? pay() : undefined;
  };
};
