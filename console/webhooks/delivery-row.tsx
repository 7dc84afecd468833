import { useId } from 'react';
import type { Delivery, Webhook } from '../../client/src/index.ts';
import type { LiveEvent } from '../data/live.ts';
import { Badge } from '../kit/badge.tsx';
import { Button } from '../kit/button.tsx';
import { showDuration, Time, useNow } from '../kit/time.tsx';
import { eventWords } from './delivered-events.ts';
import { DeliveryExchange } from './delivery-exchange.tsx';
import { failureOf } from './outcome.ts';
import { texts } from './texts.ts';
import { deliveryState } from './webhook-state.ts';

type Props = {
  of: Webhook;
  delivery: Delivery;
  /** Undefined if the event is not among the latest events, or if the key cannot read events. */
  event: LiveEvent | undefined;
  isOpen: boolean;
  onToggle: () => void;
  isBusy: boolean;
  onRedeliver: (() => void) | undefined;
};

/**
 * True if the next attempt is due but has not been made. The service pauses between attempts to an endpoint that keeps
 * failing, so a delivery may stay due for minutes.
 */
export const isWaiting = ({ state, attempt, nextAttemptAt }: Delivery, now: number): boolean =>
  state === 'pending' && attempt > 0 && nextAttemptAt !== null && Date.parse(nextAttemptAt) <= now;

const NextAttempt = ({ of, at }: { of: Delivery; at: string }) => {
  const now = useNow();
  return isWaiting(of, now)
    ? texts.deliveries.waiting
    : texts.deliveries.nextIn(
        <span role="timer" aria-live="off">
          {showDuration(Date.parse(at) - now)}
        </span>,
      );
};

export const AttemptWords = ({ of }: { of: Delivery }) => {
  const { attempt, state, responseStatus, durationMs, attemptedAt, nextAttemptAt } = of;
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
      {state === 'pending' && nextAttemptAt !== null && <NextAttempt of={of} at={nextAttemptAt} />}
    </span>
  );
};

export const DeliveryRow = ({ of, delivery, event, isOpen, onToggle, isBusy, onRedeliver }: Props) => {
  const { word, tone, shape } = deliveryState(delivery);
  const place = useId();
  return (
    <li>
      <div className="row">
        <Badge tone={tone} shape={shape}>
          {word}
        </Badge>
        {event ? <span title={event.id}>{eventWords(event)}</span> : <code className="soft">{delivery.eventId}</code>}
        <span>
          <AttemptWords of={delivery} />
        </span>
        <span className="row push">
          <Button kind="quiet" className="small" aria-expanded={isOpen} aria-controls={place} onClick={onToggle}>
            {isOpen ? texts.deliveries.hideExchange : texts.deliveries.showExchange}
          </Button>
          {onRedeliver && (
            <Button
              className="small"
              onClick={onRedeliver}
              isBusy={isBusy}
              aria-label={texts.deliveries.redeliverEvent(delivery.eventId)}
            >
              {texts.deliveries.redeliver}
            </Button>
          )}
        </span>
      </div>
      <div id={place}>{isOpen && <DeliveryExchange of={of} delivery={delivery} />}</div>
    </li>
  );
};
