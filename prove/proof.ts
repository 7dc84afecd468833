import { test } from 'bun:test';
import { appendFileSync } from 'node:fs';

/** A long run uses the counts that are promised. A short run has lower counts, because a developer waits for it. */
export const LONG = process.env.PROVE_LONG === 'true';

export type Time = { what: string; ms: number; maxMs: number; isGoal?: true };

/** `isFailed` means that some data or response was wrong. */
export type ProofReport = {
  sentence: string;
  isFailed: boolean;
  /** The proof did not run, or not completely. */
  isOpen?: true;
  figures: string[];
  times: Time[];
};

export type Tell = {
  /** A figure does not affect the outcome. */
  figure(words: string): void;
  /** A missed limit counts only on a quiet machine, so proofs never assert times. */
  time(what: string, ms: number, maxMs: number): void;
  /** For a promised time that the service may not meet yet. If missed, the outcome is "not reached". */
  goal(what: string, ms: number, maxMs: number): void;
  /** For a proof that did not run, for example because it takes too long. Not a failure, not even in CI. */
  open(why: string): void;
};

const hand = (report: ProofReport): void => {
  const file = process.env.PROVE_REPORT;
  if (file) appendFileSync(file, `${JSON.stringify(report)}\n`);
  else console.log(report);
};

const firstLine = (error: unknown): string =>
  Bun.stripANSI(error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

/** A proof stops itself shortly before the test runner's timeout, because the runner would not name the proof. */
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

/** Proofs throw on lost, duplicated or leaked data, but only report times. */
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
