import { explainError, type Log } from '../kernel/log.ts';

/** Who has asked for something: told what it is, or that it cannot be read. */
export type Receiver<Result> = { take(result: Result): void; fail(error: unknown): void };

type Job = { read(): Promise<unknown>; takers: Receiver<unknown>[] };

/** Takers that are still to be told what was read for them. */
type Telling = { takers: Receiver<unknown>[]; tell(receiver: Receiver<unknown>): void };

/** What one store waits for: by what is asked for, the oldest first. */
type Line = { jobs: Map<string, Job>; telling: Telling | undefined };

/** They keep the processor busy for about 0.4 ms, nearly all of it in the kernel. */
const TOLD_AT_ONCE = 50;

/** So many times as long as the processor was busy the queue rests after each step: streams never take more than a fifth. */
const REST = 4;
/** A turn of the loop that was busy with something else does not keep everyone waiting for that much longer. */
const LONGEST_REST_MS = 50;
const SHORTEST_REST_MS = 1;

const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Unlike the time, it does not pass while a database elsewhere is waited for. */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * What all streams read and are told, one step in each turn of the event loop: however many there are, and however much
 * they have to catch up on, requests are answered in between. Stores take turns. Those who ask for the same before it is
 * read share one read and what was made of it.
 */
export const createStreamQueue = ({ log }: { log: Pick<Log, 'warn'> }) => {
  /** By store, the one whose turn it is first. */
  const lines = new Map<bigint, Line>();
  let isRunning = false;

  const readNext = async (jobs: Line['jobs']): Promise<Telling> => {
    // A line in which nobody is being told has a job.
    const [question, job] = jobs.entries().next().value as [string, Job];
    // Whoever asks from here on may know of more than will be read.
    jobs.delete(question);
    try {
      const result = await job.read();
      return { takers: job.takers, tell: (receiver) => receiver.take(result) };
    } catch (error) {
      log.warn('stream_not_read', { error: explainError(error) });
      return { takers: job.takers, tell: (receiver) => receiver.fail(error) };
    }
  };

  const step = async (line: Line): Promise<void> => {
    line.telling ??= await readNext(line.jobs);
    const { takers, tell } = line.telling;
    for (const receiver of takers.splice(0, TOLD_AT_ONCE)) {
      try {
        tell(receiver);
      } catch (error) {
        receiver.fail(error);
      }
    }
    if (takers.length === 0) line.telling = undefined;
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    await turnOfTheLoop();
    for (const [storeId, line] of lines) {
      const before = processorMs();
      lines.delete(storeId);
      lines.set(storeId, line);
      await step(line);
      if (!line.telling && line.jobs.size === 0) lines.delete(storeId);
      // What they were told is on its way by then.
      await turnOfTheLoop();
      const restMs = Math.min(REST * (processorMs() - before), LONGEST_REST_MS);
      if (restMs >= SHORTEST_REST_MS) await sleep(restMs);
    }
    isRunning = false;
  };

  return {
    /** `question` names everything on which the answer depends, except for the store. */
    ask<Result>(storeId: bigint, question: string, read: () => Promise<Result>, receiver: Receiver<Result>): void {
      const line = lines.get(storeId) ?? { jobs: new Map<string, Job>(), telling: undefined };
      const job = line.jobs.get(question) ?? { read, takers: [] };
      job.takers.push(receiver as Receiver<unknown>);
      line.jobs.set(question, job);
      lines.set(storeId, line);
      if (!isRunning) void run();
    },
  };
};

export type StreamQueue = ReturnType<typeof createStreamQueue>;
