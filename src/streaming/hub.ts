import { Failure } from '../kernel/failure.ts';
import { type Plan, STREAMS } from '../resources/keys/plan.ts';
import { PATIENCE_MS, type Stream } from './stream.ts';

/** Whose stream it is. */
type Holder = { keyId: string; plan: Plan; storeId: bigint; isOperator: boolean };

type Open = Pick<Stream, 'tend'>;

const PER_STORE = 1000;
const PER_PROCESS = 5000;

/** Kept free beyond the caps of store and process for the operator, who is needed most when everything is full. */
const RESERVE = 100;

/** Spread out, so that those who were sent away together do not come back together. */
const RETRY_MS = { first: 1000, step: 100, steps: 50 };

/** By then a reader that takes nothing has been cut off. */
const RETRY_AFTER_SECONDS = PATIENCE_MS / 1000;

/** The descriptors with which a process can have all the streams it may have: as many again are left for everything else. */
export const DESCRIPTORS_WANTED = 2 * PER_PROCESS;

/** How many streams a process with so many descriptors may have open. */
export const streamsWith = (fileDescriptors: number): number => Math.min(PER_PROCESS, Math.floor(fileDescriptors / 2));

/** Those that were opened together are due together. */
const TENDED_AT_ONCE = 100;

const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

const refuse = (reason: string): never => {
  throw new Failure('too_many_streams', `${reason} Close one, or try again in ${RETRY_AFTER_SECONDS} seconds.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
};

/** How many there are of each. */
const createCounts = <Name>() => {
  const counts = new Map<Name, number>();
  return {
    of: (name: Name): number => counts.get(name) ?? 0,
    change: (name: Name, by: 1 | -1): void => {
      const count = (counts.get(name) ?? 0) + by;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
  };
};

/** The streams that are open in this process, and how many more may be. */
export const createHub = (perProcess: number) => {
  const places = new Set<{ stream?: Open }>();
  const ofKey = createCounts<string>();
  const ofStore = createCounts<bigint>();
  let claimed = 0;

  const refuseTooMany = ({ keyId, plan, storeId, isOperator }: Holder): void => {
    const more = isOperator ? RESERVE : 0;
    const perKey = STREAMS[plan];
    if (ofKey.of(keyId) >= perKey) refuse(`The key has ${perKey} streams open, which is the most on the plan ${plan}.`);
    if (ofStore.of(storeId) >= PER_STORE + more) refuse(`The store has ${PER_STORE} streams open, which is the most.`);
    if (places.size >= perProcess + more) refuse('The service has as many streams open as it can.');
  };

  return {
    /** Takes a place, to be released once, however the stream ends or if it never begins. Refuses one too many. */
    claim(holder: Holder) {
      refuseTooMany(holder);
      const place: { stream?: Open } = {};
      places.add(place);
      ofKey.change(holder.keyId, 1);
      ofStore.change(holder.storeId, 1);
      claimed += 1;
      return {
        retryMs: RETRY_MS.first + RETRY_MS.step * (claimed % RETRY_MS.steps),
        hold: (stream: Open): void => {
          place.stream = stream;
        },
        release: (): void => {
          if (!places.delete(place)) return;
          ofKey.change(holder.keyId, -1);
          ofStore.change(holder.storeId, -1);
        },
      };
    },
    count: (): number => places.size,
    /** Has every stream do what is due: show that it lives, or end. Requests are served in between. */
    async tend(): Promise<void> {
      let tended = 0;
      for (const { stream } of places) {
        stream?.tend();
        tended += 1;
        if (tended % TENDED_AT_ONCE === 0) await turnOfTheLoop();
      }
    },
  };
};

export type Hub = ReturnType<typeof createHub>;
