import { test } from 'bun:test';
import { appendFileSync } from 'node:fs';

/** The counts of the promises instead of those that a developer waits for. */
export const LONG = process.env.PROVE_LONG === 'true';

export type Time = { what: string; ms: number; mostMs: number; isGoal?: true };

/** What one proof has to say. What it expected of rows and answers held, or it has failed. */
export type Told = {
  sentence: string;
  isFailed: boolean;
  /** It was not asked. */
  isOpen?: true;
  figures: string[];
  times: Time[];
};

export type Tell = {
  /** A figure that decides nothing: what was counted, and how often it happened. */
  figure(words: string): void;
  /** A time, and the most it may be. Whether it counts depends on the machine, so that no proof expects it. */
  time(what: string, ms: number, mostMs: number): void;
  /** A time that is promised and known not to be kept yet: told as not reached, and no failure. */
  goal(what: string, ms: number, mostMs: number): void;
  /** Why it was not asked: for what somebody else has to answer, or what takes too long for a short run. No failure, in CI neither. */
  open(why: string): void;
};

const hand = (told: Told): void => {
  const file = process.env.PROVE_REPORT;
  if (file) appendFileSync(file, `${JSON.stringify(told)}\n`);
  else console.log(told);
};

const firstLine = (error: unknown): string =>
  Bun.stripANSI(error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

/** A little sooner than the runner cuts a proof off, after which nobody could tell which one it was. */
const DEADLINE_MS = Number(process.env.PROVE_DEADLINE_MS) || undefined;

const beforeDeadline = async (run: () => Promise<void>): Promise<void> => {
  if (DEADLINE_MS === undefined) return run();
  const { promise, reject } = Promise.withResolvers<never>();
  const late = new Error(`it has not ended after ${Math.round(DEADLINE_MS / 1000)} s: look for what it waits for`);
  const timer = setTimeout(reject, DEADLINE_MS, late);
  try {
    await Promise.race([run(), promise]);
  } finally {
    clearTimeout(timer);
  }
};

/** A test that `npm run prove` prints as a row. It throws when a row is lost, doubled or leaked, and only tells of times. */
export const proof = (sentence: string, run: (tell: Tell) => Promise<void>): void => {
  test(sentence, async () => {
    const told: Told = { sentence, isFailed: true, figures: [], times: [] };
    const tell: Tell = {
      figure: (words) => told.figures.push(words),
      time: (what, ms, mostMs) => told.times.push({ what, ms: Math.round(ms), mostMs }),
      goal: (what, ms, mostMs) => told.times.push({ what, ms: Math.round(ms), mostMs, isGoal: true }),
      open: (why) => {
        told.figures.push(why);
        told.isOpen = true;
      },
    };
    try {
      await beforeDeadline(() => run(tell));
      told.isFailed = false;
    } catch (error) {
      told.figures.push(firstLine(error));
      throw error;
    } finally {
      hand(told);
    }
  });
};
