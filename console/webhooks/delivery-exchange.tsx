import { Link } from 'wouter';
import type { Delivery, Webhook } from '../../client/src/index.ts';
import { useEvent } from '../data/use-event.ts';
import { Code } from '../kit/code.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { showJson } from '../kit/text.ts';
import { useSession } from '../session/session.ts';

/** Request line and headers, as far as they are known. */
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

const answerText = ({ attempt, responseStatus, responseBody }: Delivery): string => {
  if (attempt === 0) return 'Nothing was sent yet.';
  if (responseStatus === null) return responseBody ?? 'There was no answer.';
  return `${responseStatus}\n\n${responseBody || '(an empty body)'}`;
};

/** Request and response of the latest attempt. */
export const DeliveryExchange = ({ of, delivery }: { of: Webhook; delivery: Delivery }) => {
  const { can } = useSession();
  const { data: event, error, isLoading, refetch } = useEvent(delivery.eventId);
  return (
    <div className="stack exchange">
      <h4>Request</h4>
      <Code
        text={[requestHead(of, delivery), ...(event ? [showJson(event, 2)] : [])].join('\n\n')}
        what="the request"
      />
      {isLoading && <Skeleton lines={8} />}
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      <p className="soft">
        {event && (
          <>
            The body is sent without spaces. Its signature is made with the secret for each attempt, and kept nowhere.{' '}
            <Link href={`/events?event=${event.id}`}>The event and what it changed</Link>
          </>
        )}
        {event === null && 'The event is no longer kept, or is one that this key may not read.'}
        {!can('events:read') && 'The body is the event, which takes the scope events:read to see.'}
      </p>
      <h4>Answer</h4>
      <Code text={answerText(delivery)} what="the answer" />
    </div>
  );
};
