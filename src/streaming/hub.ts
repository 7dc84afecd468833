import { createCounts } from '../kernel/counts.ts';
import { Failure } from '../kernel/failure.ts';
import { nextTurn } from '../kernel/runtime.ts';
import { type Plan, STREAMS } from '../resources/keys/plan.ts';
import { PATIENCE_MS, type Stream } from './stream.ts';

type Holder = { keyId: string; plan: Plan; storeId: bigint; isOperator: boolean };

type Place = { stream?: Pick<Stream, 'tend'>; retryMs: number; release(): void };

const PER_STORE = 1000;
const PER_PROCESS = 5000;

/** Number of extra streams for operators, who need access most when all other streams are in use. */
const RESERVE = 100;

/** Reconnection delays in milliseconds. They differ, so that clients do not all reconnect at the same time. */
const RETRY_MS = { first: 1000, step: 100, steps: 50 };

/** A refused client should retry after this time. By then, clients that stopped reading will have been disconnected. */
const RETRY_AFTER_SECONDS = PATIENCE_MS / 1000;

export const DESCRIPTORS_WANTED = 2 * PER_PROCESS;

/** Streams may use half of the file descriptors. The other half is for requests and files. */
export const streamsWith = (fileDescriptors: number): number => Math.min(PER_PROCESS, Math.floor(fileDescriptors / 2));

const TENDED_PER_TURN = 100;

const refuse = (reason: string): never => {
  throw new Failure('too_many_streams', `${reason} Close one, or try again in ${RETRY_AFTER_SECONDS} seconds.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
};

export const createHub = (perProcess: number) => {
  const places = new Set<Place>();
  const counts = createCounts<string | bigint>();
  let claimed = 0;

  const add = ({ keyId, storeId }: Holder, by: 1 | -1): void => {
    for (const id of [keyId, storeId]) counts.add(id, by);
  };

  const refuseTooMany = ({ keyId, plan, storeId, isOperator }: Holder): void => {
    const more = isOperator ? RESERVE : 0;
    const perKey = STREAMS[plan];
    if (counts.of(keyId) >= perKey)
      refuse(`The key has ${perKey} open streams, which is the limit on the ${plan} plan.`);
    if (counts.of(storeId) >= PER_STORE + more)
      refuse(`The store has ${PER_STORE} open streams, which is the limit for a store.`);
    if (places.size >= perProcess + more) refuse('The service has reached its limit on open streams.');
  };

  return {
    /** The caller must release the slot when the stream ends, and also if the stream never starts. */
    claim(holder: Holder): Place {
      refuseTooMany(holder);
      claimed += 1;
      const place: Place = {
        retryMs: RETRY_MS.first + RETRY_MS.step * (claimed % RETRY_MS.steps),
        release: () => {
          if (places.delete(place)) add(holder, -1);
        },
      };
      places.add(place);
      add(holder, 1);
      return place;
    },
    count: (): number => places.size,
    async tend(): Promise<void> {
      let tended = 0;
      for (const { stream } of places) {
        stream?.tend();
        tended += 1;
        if (tended % TENDED_PER_TURN === 0) await nextTurn();
      }
    },
  };
};

export type Hub = ReturnType<typeof createHub>;
