import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import type { Delivery, Webhook } from '../../client/src/index.ts';
import type { LiveEvent } from '../data/live.ts';
import { Badge } from '../kit/badge.tsx';
import { Button } from '../kit/button.tsx';
import { Time } from '../kit/time.tsx';
import { eventSubject } from './delivered-events.ts';
import { DeliveryExchange } from './delivery-exchange.tsx';
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

export const DeliveryRow = ({ of, delivery, event, isOpen, onToggle, isBusy, onRedeliver }: Props) => {
  const { word, tone, shape } = deliveryState(delivery);
  const { eventId, attempt, attemptedAt, responseStatus } = delivery;
  const place = useId();
  return (
    <li>
      <button type="button" className="delivery" aria-expanded={isOpen} aria-controls={place} onClick={onToggle}>
        <Badge tone={tone} shape={shape}>
          {word}
        </Badge>
        <span className="number">{responseStatus ?? '–'}</span>
        <span className="cut">
          {event && <code>{event.type}</code>}
          <span className="soft cut" title={eventId}>
            {event ? eventSubject(event) : eventId}
          </span>
        </span>
        <span>
          {attempt === 0 ? texts.deliveries.notSent : <Time at={attemptedAt} />}
          {attempt > 0 && <span className="soft">{texts.deliveries.attempts(attempt)}</span>}
        </span>
        <ChevronDown className="icon s" />
      </button>
      <div id={place}>
        {isOpen && (
          <DeliveryExchange of={of} delivery={delivery}>
            {onRedeliver && (
              <Button
                className="small"
                onClick={onRedeliver}
                isBusy={isBusy}
                aria-label={texts.deliveries.redeliverEvent(eventId)}
              >
                {texts.deliveries.redeliver}
              </Button>
            )}
          </DeliveryExchange>
        )}
      </div>
    </li>
  );
};
