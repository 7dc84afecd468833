import { Failure } from '../../kernel/failure.ts';
import { type Call, reads } from '../../kernel/operation.ts';
import type { Clock } from '../../kernel/runtime.ts';
import { type Limiter, refuseOverLimit } from '../../limits/limiter.ts';
import { keySubject } from '../../limits/window.ts';
import type { Arrivals } from '../../streaming/arrivals.ts';
import type { Hub } from '../../streaming/hub.ts';
import type { StreamQueue } from '../../streaming/queue.ts';
import { createReplayCharge, resumeStream } from '../../streaming/resume-stream.ts';
import { createStream, type EncodedBatch, encodeBatch, type Stream } from '../../streaming/stream.ts';
import type { KeyChanges } from '../keys/changes.ts';
import { isLive, type Key } from '../keys/key.ts';
import type { KeyReads } from '../keys/keys.repository.ts';
import { UNKNOWN_KEY } from '../keys/secret.ts';
import { streamEventsContract } from './events.contracts.ts';
import type { EventReads } from './events.repository.ts';

const BATCH_SIZE = 100;
/** Longest delay that a JavaScript timer allows (24.8 days). No stream lasts longer than this. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Deps = {
  arrivals: Pick<Arrivals, 'subscribe'>;
  keyChanges: Pick<KeyChanges, 'subscribe'>;
  onStop(listener: () => void): () => void;
  clock: Clock;
  elapsed(): number;
  limiter: Pick<Limiter, 'take'>;
  streamQueue: StreamQueue;
  hub: Pick<Hub, 'claim'>;
};

type Repositories = { events: EventReads; keys: Pick<KeyReads, 'find'> };

/** Reads the key again: it may have changed between authentication and the subscription to key changes. */
const findLiveKey = async (keys: Repositories['keys'], call: Call, now: number): Promise<Key> => {
  const key = await keys.find(call.keyId ?? '');
  if (key && isLive(key, now)) return key;
  throw new Failure('invalid_api_key', UNKNOWN_KEY);
};

const openStream = async (
  { events, keys }: Repositories,
  lastEventId: string | undefined,
  call: Call,
  { arrivals, keyChanges, onStop, clock, elapsed, limiter, streamQueue, hub }: Deps,
  over: AbortController,
): Promise<Stream> => {
  const onEnd = (cleanUp: () => void): void => {
    if (over.signal.aborted) cleanUp();
    else over.signal.addEventListener('abort', cleanUp);
  };

  let stream: Stream | undefined;
  let isChanged = false;
  // Any change to the key closes the stream. A client that still has access can reconnect.
  const unsubscribe = keyChanges.subscribe((keyId) => {
    if (keyId !== call.keyId) return;
    isChanged = true;
    stream?.end();
  });
  onEnd(unsubscribe);
  const { id: keyId, plan, limits } = await findLiveKey(keys, call, clock());
  const isOperator = call.scopes.includes('keys:write');
  const place = hub.claim({ keyId, plan, storeId: call.storeId, isOperator });
  onEnd(place.release);

  const pay = async (): Promise<void> => refuseOverLimit(await limiter.take(keySubject({ keyId, limits })), clock());
  const inTurn = <Result>(key: string, read: () => Promise<Result>) =>
    new Promise<Result>((receive, fail) => streamQueue.enqueue(call.storeId, key, read, { receive, fail }));
  const { after, last } = await resumeStream({ events, inTurn, pay }, lastEventId);
  const readAfter = async (position: bigint): Promise<EncodedBatch> => {
    // Also reads events that the caller must not see, so that the stream's position moves past them.
    const page = { limit: BATCH_SIZE, order: 'asc', after: position } as const;
    return encodeBatch(await events.list({ withOperators: true }, page), { after: position, most: BATCH_SIZE });
  };
  stream = createStream({
    after,
    audience: isOperator ? 'operators' : 'others',
    read: (position, receiver) => streamQueue.enqueue(call.storeId, `${position}`, () => readAfter(position), receiver),
    charge: createReplayCharge(last, pay),
    retryMs: place.retryMs,
    elapsed,
    ended: () => over.abort(),
  });
  place.stream = stream;
  onEnd(arrivals.subscribe(call.storeId, stream.wake));
  onEnd(onStop(() => stream.sendAway('the service is stopping')));
  if (call.endsAt !== null) {
    const timer = setTimeout(stream.end, Math.min(call.endsAt - clock(), LONGEST_TIMER_MS));
    onEnd(() => clearTimeout(timer));
  }
  if (isChanged) stream.end();
  return stream;
};

export const streamEvents = reads(
  streamEventsContract,
  async (repositories: Repositories, { lastEventId }, call, deps: Deps) => {
    const over = new AbortController();
    const { stream } = await openStream(repositories, lastEventId, call, deps, over).catch((error) => {
      over.abort();
      throw error;
    });
    return { stream };
  },
);
