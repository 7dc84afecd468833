import { faulty } from '../kernel/failure.ts';
import { parseInt64 } from '../kernel/int64.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { EventReads } from '../resources/events/events.repository.ts';

/** So many events are paid for with one request. */
const PER_REQUEST = 1000n;

const OWN_ID = /^evt_\w{24}$/;

type Search = (upTo: bigint) => Promise<bigint | undefined>;

type Deps = {
  events: Pick<EventReads, 'range' | 'sequenceOf'>;
  /** Makes a read when it is its turn. */
  inTurn(question: string, read: () => Promise<bigint | undefined>): Promise<bigint | undefined>;
  /** Pays one request; throws if the caller cannot. */
  pay(): MaybePromise<void>;
};

/**
 * Where the event of an id stands, from the newest backwards: no index finds it, because that would cost every write
 * more than all else about its event.
 */
const search = async ({ first, last }: { first: bigint; last: bigint }, look: Search, pay: Deps['pay']) => {
  for (let upTo = last; upTo >= first; upTo -= PER_REQUEST) {
    if (upTo < last) await pay();
    const found = await look(upTo);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** The position that `Last-Event-ID` names, if everything behind it is still there, and the last event there is. */
export const resumeStream = async ({ events, inTurn, pay }: Deps, lastEventId: string | undefined) => {
  const { first, last } = await events.range();
  if (lastEventId === undefined) return { after: last, last };
  const look: Search = (upTo) =>
    inTurn(`${lastEventId} ${upTo}`, () => events.sequenceOf(lastEventId, { above: upTo - PER_REQUEST, upTo }));
  const after = OWN_ID.test(lastEventId) ? await search({ first, last }, look, pay) : parseInt64(lastEventId);
  if (after !== undefined && after >= first - 1n && after <= last) return { after, last };
  throw faulty('invalid_cursor', {
    header: 'Last-Event-ID',
    detail: 'is unknown or too old; start again without it',
  });
};

/** What a stream pays for the events that were there before it began: one request for every thousand of them. */
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
