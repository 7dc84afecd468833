import type { ReactNode } from 'react';
import type { Delivery } from '../../client/src/index.ts';
import { showDuration, Time, useNow } from '../kit/time.tsx';
import { failureOf } from './outcome.ts';
import { texts } from './texts.ts';

/**
 * True if the next attempt is due but has not been made. The service pauses between attempts to an endpoint that keeps
 * failing, so a delivery may stay due for minutes.
 */
export const isWaiting = ({ state, attempt, nextAttemptAt }: Delivery, now: number): boolean =>
  state === 'pending' && attempt > 0 && nextAttemptAt !== null && Date.parse(nextAttemptAt) <= now;

const TimeUntil = ({ at }: { at: string }) => {
  const now = useNow();
  return (
    <span role="timer" aria-live="off">
      {showDuration(Date.parse(at) - now)}
    </span>
  );
};

type NextProps = { of: Delivery; words: { nextIn: (time: ReactNode) => ReactNode; waiting: string } };

const NextAttempt = ({ of, words: { nextIn, waiting } }: NextProps) => {
  const now = useNow();
  if (of.state !== 'pending' || of.nextAttemptAt === null) return null;
  return isWaiting(of, now) ? waiting : nextIn(<TimeUntil at={of.nextAttemptAt} />);
};

export const AttemptWords = ({ of }: { of: Delivery }) => {
  const { attempt, responseStatus, durationMs, attemptedAt } = of;
  const failure = failureOf(of);
  if (attempt === 0) return failure ? failure.words : <span className="soft">{texts.deliveries.notSent}</span>;
  const response = responseStatus === null ? texts.deliveries.noResponse : texts.deliveries.status(responseStatus);
  const duration = texts.deliveries[responseStatus === null ? 'failedAfter' : 'duration'];
  return (
    <span className="soft">
      {failure ? <span className="reason">{failure.words}</span> : response}
      {failure?.code && texts.deliveries.code(failure.code)}
      {!failure && durationMs !== null && duration(durationMs)}
      {texts.deliveries.attempt(attempt, <Time at={attemptedAt} />)}
      <NextAttempt of={of} words={texts.deliveries} />
    </span>
  );
};

/** The service keeps only the latest attempt of a delivery. */
export const Attempts = ({ of }: { of: Delivery }) => {
  const { attempt, attemptedAt, responseStatus, durationMs } = of;
  const { headings } = texts.attempts;
  return (
    <table className="attempts">
      <thead>
        <tr>
          {Object.entries(headings).map(([name, heading]) => (
            <th key={name} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>{attempt}</td>
          <td>
            <Time at={attemptedAt} />
          </td>
          <td>{responseStatus ?? texts.deliveries.noResponse}</td>
          <td>{durationMs === null ? '–' : texts.attempts.duration(durationMs)}</td>
          <td>{of.state === 'pending' ? <NextAttempt of={of} words={texts.attempts} /> : '–'}</td>
        </tr>
      </tbody>
    </table>
  );
};
