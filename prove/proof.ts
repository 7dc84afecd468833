import { test } from 'bun:test';
import { appendFileSync } from 'node:fs';

/** Uses the promised counts instead of those for a developer's short run. */
export const LONG = process.env.PROVE_LONG === 'true';

export type Time = { what: string; ms: number; maxMs: number; isGoal?: true };

/** Report of one proof. It fails if an expectation about rows or answers does not hold. */
export type ProofReport = {
  sentence: string;
  isFailed: boolean;
  /** The proof did not run. */
  isOpen?: true;
  figures: string[];
  times: Time[];
};

export type Tell = {
  /** Reports a figure that has no effect on the outcome, such as a count. */
  figure(words: string): void;
  /** Reports a time and its limit. Whether a miss counts depends on the machine, so proofs never assert times. */
  time(what: string, ms: number, maxMs: number): void;
  /** Reports a promised time that is known not to be met yet. A miss is "not reached", not a failure. */
  goal(what: string, ms: number, maxMs: number): void;
  /** Reports why the proof did not run, for example because it takes too long. Never a failure, not even in CI. */
  open(why: string): void;
};

const hand = (report: ProofReport): void => {
  const file = process.env.PROVE_REPORT;
  if (file) appendFileSync(file, `${JSON.stringify(report)}\n`);
  else console.log(report);
};

const firstLine = (error: unknown): string =>
  Bun.stripANSI(error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

/** Slightly before the runner's timeout, because the runner does not name the proof that it stopped. */
const DEADLINE_MS = Number(process.env.PROVE_DEADLINE_MS) || undefined;

const beforeDeadline = async (run: () => Promise<void>): Promise<void> => {
  if (DEADLINE_MS === undefined) return run();
  const { promise, reject } = Promise.withResolvers<never>();
  const late = new Error(`it has not ended after ${Math.round(DEADLINE_MS / 1000)} s: find out what it waits for`);
  const timer = setTimeout(reject, DEADLINE_MS, late);
  try {
    await Promise.race([run(), promise]);
  } finally {
    clearTimeout(timer);
  }
};

/** A test that `npm run prove` prints as a row. Throws on lost, duplicated or leaked rows, but only reports times. */
export const proof = (sentence: string, run: (tell: Tell) => Promise<void>): void => {
  test(sentence, async () => {
    const report: ProofReport = { sentence, isFailed: true, figures: [], times: [] };
    const tell: Tell = {
      figure: (words) => report.figures.push(words),
      time: (what, ms, maxMs) => report.times.push({ what, ms: Math.round(ms), maxMs }),
      goal: (what, ms, maxMs) => report.times.push({ what, ms: Math.round(ms), maxMs, isGoal: true }),
      open: (why) => {
        report.figures.push(why);
        report.isOpen = true;
      },
    };
    try {
      await beforeDeadline(() => run(tell));
      report.isFailed = false;
    } catch (error) {
      report.figures.push(firstLine(error));
      throw error;
    } finally {
      hand(report);
    }
  });
};
