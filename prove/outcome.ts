import { BUSY_SHARE } from './busyness.ts';
import type { ProofReport, Time } from './proof.ts';

/**
 * Outcomes from best to worst. On a busy machine, an exceeded time limit becomes `too busy`, but wrong data is always
 * `failed`.
 */
export const OUTCOMES = ['met', 'too busy', 'not asked', 'not reached', 'missed', 'failed'] as const;

export type Outcome = (typeof OUTCOMES)[number];

export type Row = { sentence: string; outcome: Outcome; figures: string[] };

export type Result = {
  rows: Row[];
  skipped: string | null;
  isLong: boolean;
  seconds: number;
  others: number | null;
  date: string;
  commit: string;
  machine: string;
};

export const showShare = (share: number | null): string =>
  share === null ? 'unknown' : `${Math.round(share * 100)} %`;

const showMs = (ms: number): string => `${ms.toLocaleString('en-US')} ms`;

const isMissed = ({ ms, maxMs }: Time): boolean => ms > maxMs;

const showTime = (time: Time): string =>
  `${time.what} ${showMs(time.ms)} (${isMissed(time) ? 'missed: ' : ''}at most ${showMs(time.maxMs)})`;

export const judge = ({ sentence, isFailed, isOpen, figures, times }: ProofReport, others: number | undefined): Row => {
  const missed = times.filter(isMissed);
  const onQuiet = missed.every(({ isGoal }) => isGoal) ? 'not reached' : 'missed';
  const late = (others ?? 0) > BUSY_SHARE ? 'too busy' : onQuiet;
  const outcome = isFailed ? 'failed' : missed.length > 0 ? late : isOpen ? 'not asked' : 'met';
  return { sentence, outcome, figures: [...figures, ...times.map(showTime)] };
};

export const worstOf = (rows: readonly Row[]): Outcome | undefined =>
  OUTCOMES.findLast((outcome) => rows.some((row) => row.outcome === outcome));

/** In CI, the speed of the machine is unknown and changes, so a missed time is shown, but is not a failure. */
export const isFailure = ({ outcome }: Row, inCi: boolean): boolean =>
  outcome === 'failed' || (outcome === 'missed' && !inCi);
