import { explainError, type Log } from '../kernel/log.ts';
import { nextTurn, processorMs, sleep } from '../kernel/runtime.ts';

export type Receiver<Result> = { receive(result: Result): void; fail(error: unknown): void };

type Job = { read(): Promise<unknown>; receivers: Receiver<unknown>[] };

type Fanout = { receivers: Receiver<unknown>[]; deliver(receiver: Receiver<unknown>): void };

type StoreQueue = { jobs: Map<string, Job>; fanout: Fanout | undefined };

/** Number of receivers served per step. A step with this many receivers takes about 0.4 ms. */
const RECEIVERS_PER_STEP = 50;

// After each step, the queue pauses for the duration of the step times this factor, so streams use at most a fifth of
// a processor.
const REST_FACTOR = 4;
/** Maximum pause in ms. The measured duration of a step may include other work, which must not cause a long pause. */
const LONGEST_REST_MS = 50;
const SHORTEST_REST_MS = 1;

/**
 * The queue works in small steps, so that requests can run in between. Stores take turns. Receivers enqueued with the
 * same `key` share one read, as long as that read has not started yet.
 */
export const createStreamQueue = ({ log }: { log: Pick<Log, 'warn'> }) => {
  const queues = new Map<bigint, StoreQueue>();
  let isRunning = false;

  const readNext = async (jobs: StoreQueue['jobs']): Promise<Fanout> => {
    // There is always a job here, because empty queues are removed.
    const [key, { read, receivers }] = jobs.entries().next().value as [string, Job];
    jobs.delete(key);
    try {
      const result = await read();
      return { receivers, deliver: (receiver) => receiver.receive(result) };
    } catch (error) {
      log.warn('stream_not_read', { error: explainError(error) });
      return { receivers, deliver: (receiver) => receiver.fail(error) };
    }
  };

  const step = async (queue: StoreQueue): Promise<void> => {
    queue.fanout ??= await readNext(queue.jobs);
    const { receivers, deliver } = queue.fanout;
    for (const receiver of receivers.splice(0, RECEIVERS_PER_STEP)) {
      try {
        deliver(receiver);
      } catch (error) {
        receiver.fail(error);
      }
    }
    if (receivers.length === 0) queue.fanout = undefined;
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    await nextTurn();
    for (const [storeId, queue] of queues) {
      const before = processorMs();
      queues.delete(storeId);
      queues.set(storeId, queue);
      await step(queue);
      if (!queue.fanout && queue.jobs.size === 0) queues.delete(storeId);
      // The runtime writes to the sockets before the next turn of the event loop, so the measured time includes these
      // writes.
      await nextTurn();
      const restMs = Math.min(REST_FACTOR * (processorMs() - before), LONGEST_REST_MS);
      if (restMs >= SHORTEST_REST_MS) await sleep(restMs);
    }
    isRunning = false;
  };

  return {
    /** `key` must identify everything that the result of `read` depends on, apart from the store. */
    enqueue<Result>(storeId: bigint, key: string, read: () => Promise<Result>, receiver: Receiver<Result>): void {
      const queue = queues.getOrInsertComputed(storeId, () => ({ jobs: new Map<string, Job>(), fanout: undefined }));
      const job = queue.jobs.getOrInsertComputed(key, () => ({ read, receivers: [] }));
      job.receivers.push(receiver as Receiver<unknown>);
      if (!isRunning) void run();
    },
  };
};

export type StreamQueue = ReturnType<typeof createStreamQueue>;
