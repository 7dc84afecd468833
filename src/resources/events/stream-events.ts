import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import type { KeyChanges } from '../../kernel/key-changes.ts';
import { type Call, reads } from '../../kernel/operation.ts';
import type { Limiter } from '../../limits/limiter.ts';
import { keySubject } from '../../limits/policy.ts';
import { refuseOverLimit } from '../../limits/refusal.ts';
import type { Arrivals } from '../../streaming/arrivals.ts';
import { type Portion, toPortion } from '../../streaming/encoded-batch.ts';
import type { OpenStreams } from '../../streaming/open-streams.ts';
import { createReplayCharge, resumeStream } from '../../streaming/resume-stream.ts';
import { createStream, type Stream } from '../../streaming/stream.ts';
import type { StreamQueue } from '../../streaming/stream-queue.ts';
import { isLive, type Key } from '../keys/key.ts';
import type { KeyReads } from '../keys/keys.repository.ts';
import type { EventReads } from './events.repository.ts';
import { streamEventsContract } from './stream-events.contract.ts';

const AT_ONCE = 100;
/** The longest that a timer can wait. Whoever is sent away that early comes back. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Deps = {
  arrivals: Pick<Arrivals, 'subscribe'>;
  keyChanges: Pick<KeyChanges, 'subscribe'>;
  /** Calls `listener` when the service is about to stop: nobody could wait for the end of a stream. */
  onStop(listener: () => void): () => void;
  clock: Clock;
  stopwatch(): number;
  limiter: Pick<Limiter, 'take'>;
  streamQueue: StreamQueue;
  openStreams: Pick<OpenStreams, 'claim'>;
};

type Repositories = { events: EventReads; keys: Pick<KeyReads, 'find'> };

/** What is to be undone when the stream is over, or could not be opened. */
type Undo = (undo: () => void) => void;

/** The key as it is now: nobody has heard of what became of it between its check and the subscription. */
const findLiveKey = async (keys: Repositories['keys'], call: Call, now: number): Promise<Key> => {
  const key = await keys.find(call.keyId ?? '');
  if (key && isLive(key, now)) return key;
  throw new Failure('invalid_api_key', 'The API key is unknown, expired or revoked.');
};

const openStream = async (
  { events, keys }: Repositories,
  lastEventId: string | undefined,
  call: Call,
  deps: Deps,
  { undo, ended }: { undo: Undo; ended(): void },
): Promise<Stream> => {
  const { clock, limiter, streamQueue, stopwatch } = deps;
  let stream: Stream | undefined;
  let isChanged = false;
  // Whatever has changed of the key: its holder comes back with it, or does not.
  const change = (keyId: string | null): void => {
    if (keyId !== call.keyId) return;
    isChanged = true;
    stream?.end();
  };
  undo(deps.keyChanges.subscribe(change));
  const key = await findLiveKey(keys, call, clock());
  const isOperator = call.scopes.includes('keys:write');
  const place = deps.openStreams.claim({ keyId: key.id, plan: key.plan, storeId: call.storeId, isOperator });
  undo(place.release);

  const pay = async (): Promise<void> =>
    refuseOverLimit(await limiter.take(keySubject({ keyId: key.id, limits: key.limits })), clock());
  const inTurn = <Result>(question: string, read: () => Promise<Result>) =>
    new Promise<Result>((take, fail) => streamQueue.ask(call.storeId, question, read, { take, fail }));
  const { after, last } = await resumeStream({ events, inTurn, pay }, lastEventId);
  const portionBehind = async (position: bigint): Promise<Portion> => {
    // All of them, so that what is hidden moves the position on as well.
    const page = { limit: AT_ONCE, order: 'asc', after: position } as const;
    return toPortion(await events.list({ withOperators: true }, page), { after: position, most: AT_ONCE });
  };
  stream = createStream({
    after,
    audience: isOperator ? 'operators' : 'others',
    ask: (position, taker) => streamQueue.ask(call.storeId, `${position}`, () => portionBehind(position), taker),
    charge: createReplayCharge(last, pay),
    retryMs: place.retryMs,
    stopwatch,
    ended,
  });
  place.hold(stream);
  undo(deps.arrivals.subscribe(call.storeId, stream.wake));
  undo(deps.onStop(() => stream.sendAway('the service is about to stop')));
  if (call.endsAt !== null) {
    const timer = setTimeout(stream.end, Math.min(call.endsAt - clock(), LONGEST_TIMER_MS));
    undo(() => clearTimeout(timer));
  }
  if (isChanged) stream.end();
  return stream;
};

export const streamEvents = reads(
  streamEventsContract,
  async (repositories: Repositories, { lastEventId }, call, deps: Deps) => {
    const undone: (() => void)[] = [];
    let isOver = false;
    const ended = (): void => {
      isOver = true;
      for (const undo of undone.splice(0)) undo();
    };
    const undo: Undo = (one) => {
      if (isOver) one();
      else undone.push(one);
    };
    try {
      const { stream } = await openStream(repositories, lastEventId, call, deps, { undo, ended });
      return { stream };
    } catch (error) {
      ended();
      throw error;
    }
  },
);
