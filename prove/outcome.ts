import { BUSY_SHARE } from './busyness.ts';
import type { Time, Told } from './proof.ts';

/** From the best to the worst. */
export const OUTCOMES = ['met', 'too busy', 'not asked', 'not reached', 'missed', 'failed'] as const;

/** Of one proof. A time that is missed on a busy machine does not count; what is expected of rows always does. */
export type Outcome = (typeof OUTCOMES)[number];

export type Row = { sentence: string; outcome: Outcome; figures: string[] };

/** What one file of proofs came to, and what is needed to judge that later. */
export type Result = {
  rows: Row[];
  /** Why some of its proofs did not run. */
  skipped: string | null;
  isLong: boolean;
  seconds: number;
  /** The share of the machine that others had meanwhile. */
  others: number | null;
  date: string;
  commit: string;
  machine: string;
};

export const showShare = (share: number | null): string =>
  share === null ? 'unknown' : `${Math.round(share * 100)} %`;

const showMs = (ms: number): string => `${ms.toLocaleString('en-US')} ms`;

const isMissed = ({ ms, mostMs }: Time): boolean => ms > mostMs;

const showTime = (time: Time): string =>
  `${time.what} ${showMs(time.ms)} (${isMissed(time) ? 'missed: ' : ''}at most ${showMs(time.mostMs)})`;

export const judge = ({ sentence, isFailed, isOpen, figures, times }: Told, others: number | undefined): Row => {
  const missed = times.filter(isMissed);
  const onQuiet = missed.every(({ isGoal }) => isGoal) ? 'not reached' : 'missed';
  const late = (others ?? 0) > BUSY_SHARE ? 'too busy' : onQuiet;
  const outcome = isFailed ? 'failed' : missed.length > 0 ? late : isOpen ? 'not asked' : 'met';
  return { sentence, outcome, figures: [...figures, ...times.map(showTime)] };
};

/** The worst of several; undefined of none. */
export const worstOf = (rows: readonly Row[]): Outcome | undefined =>
  OUTCOMES.findLast((outcome) => rows.some((row) => row.outcome === outcome));

export const isFailure = ({ outcome }: Row): boolean => outcome === 'missed' || outcome === 'failed';
