import { test } from 'bun:test';
import { appendFileSync } from 'node:fs';

/** True for a full-length run. A short run has fewer repetitions, because a developer is waiting for it. */
export const LONG = process.env.PROVE_LONG === 'true';

export type Time = { what: string; ms: number; maxMs: number; isGoal?: true };

export type ProofReport = {
  sentence: string;
  isFailed: boolean;
  isOpen?: true;
  figures: string[];
  times: Time[];
};

export type Tell = {
  figure(words: string): void;
  /** Reports a duration without checking it, because a duration above `maxMs` is a failure only on a quiet machine. */
  time(what: string, ms: number, maxMs: number): void;
  /** Reports a duration and a target that the service may not meet yet. Missing this target is not a failure. */
  goal(what: string, ms: number, maxMs: number): void;
  /** Reports why the proof did not run. This is not a failure, even in CI. */
  open(why: string): void;
};

const hand = (report: ProofReport): void => {
  const file = process.env.PROVE_REPORT;
  if (file) appendFileSync(file, `${JSON.stringify(report)}\n`);
  else console.log(report);
};

const firstLine = (error: unknown): string =>
  Bun.stripANSI(error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

/**
 * A proof stops itself at this deadline. If the test runner stopped it instead, the report would not say which proof
 * was running.
 */
const DEADLINE_MS = Number(process.env.PROVE_DEADLINE_MS) || undefined;

const beforeDeadline = async (run: () => Promise<void>): Promise<void> => {
  if (DEADLINE_MS === undefined) return run();
  const { promise, reject } = Promise.withResolvers<never>();
  const late = new Error(
    `it is still running after ${Math.round(DEADLINE_MS / 1000)} s: find out what it is waiting for`,
  );
  const timer = setTimeout(reject, DEADLINE_MS, late);
  try {
    await Promise.race([run(), promise]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * A proof must throw if data is lost, duplicated or leaked. It must report durations with `time` instead of asserting
 * limits on them.
 */
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
