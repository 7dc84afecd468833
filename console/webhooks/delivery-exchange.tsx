import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Delivery, Webhook } from '../../client/src/index.ts';
import { useEvent } from '../data/use-event.ts';
import { Code } from '../kit/code.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { showJson } from '../kit/text.ts';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { Attempts } from './attempts.tsx';
import { failureOf } from './outcome.ts';
import { texts } from './texts.ts';

/** Length of the response preview, which is shown above the request. The full response is shown below it. */
const MAX_ANSWER = 200;

const requestHead = ({ url }: Webhook, { eventId, attemptedAt, durationMs }: Delivery): string => {
  const beganAt = attemptedAt === null ? undefined : Date.parse(attemptedAt) - (durationMs ?? 0);
  return [
    `POST ${url}`,
    'content-type: application/json',
    `webhook-id: ${eventId}`,
    `webhook-timestamp: ${beganAt === undefined ? '…' : Math.floor(beganAt / 1000)}`,
    'webhook-signature: v1,…',
  ].join('\n');
};

const responseText = ({ attempt, responseStatus, responseBody }: Delivery): string => {
  if (attempt === 0) return texts.exchange.notSent;
  if (responseStatus === null) return responseBody ?? texts.exchange.noResponse;
  return `${responseStatus}\n\n${responseBody || texts.exchange.emptyBody}`;
};

const answerOf = ({ state, responseStatus, responseBody }: Delivery): string | undefined => {
  if (state === 'delivered' || responseStatus === null) return undefined;
  const body = responseBody?.trim() ?? '';
  return texts.exchange.answered(responseStatus, body.length > MAX_ANSWER ? `${body.slice(0, MAX_ANSWER)}…` : body);
};

type Props = { of: Webhook; delivery: Delivery; children: ReactNode };

export const DeliveryExchange = ({ of, delivery, children }: Props) => {
  const { can } = useSession();
  const failure = failureOf(delivery);
  const reason = failure ? texts.exchange.failed(failure.words, failure.code) : answerOf(delivery);
  const { data: event, error, isLoading, refetch } = useEvent(String(delivery.sequence));
  return (
    <div className="stack exchange">
      {reason && <p className="reason">{reason}</p>}
      {delivery.attempt > 0 && <Attempts of={delivery} />}
      <div className="row">
        {delivery.attempt > 1 && <span className="soft">{texts.attempts.onlyLatest}</span>}
        <span className="push">{children}</span>
      </div>
      <h4>{common.request}</h4>
      <Code
        text={[requestHead(of, delivery), ...(event ? [showJson(event, 2)] : [])].join('\n\n')}
        what={common.copied.request}
      />
      {isLoading && <Skeleton lines={8} />}
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      <p className="soft">
        {event && (
          <>
            {texts.exchange.bodyNote} <Link href={`/events?event=${event.sequence}`}>{texts.exchange.viewEvent}</Link>
          </>
        )}
        {event === null && texts.exchange.noEvent}
        {!can('events:read') && texts.exchange.needsScope}
      </p>
      <h4>{texts.exchange.response}</h4>
      <Code text={responseText(delivery)} what={common.copied.response} />
    </div>
  );
};
