import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Delivery, Petstore, Webhook } from '../../client/src/index.ts';
import type { LiveEvent } from '../data/live.ts';
import { Badge } from '../kit/badge.tsx';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { useSession } from '../session/session.ts';
import { AttemptWords } from '../webhooks/attempts.tsx';
import { deliveryState } from '../webhooks/webhook-state.ts';
import { texts } from './texts.ts';

/** Number of webhooks to check at first, and with each click on "Check more webhooks". Each webhook costs a request. */
const WEBHOOKS_PER_PAGE = 10;
/** The service's maximum page size. */
const LATEST = 100;
const REFRESH_MS = 3000;

type TestResponse = { webhook: Webhook; delivery: Delivery | undefined };

const isReported = ({ id, events, createdAt }: Webhook, { type, timestamp, data }: LiveEvent): boolean =>
  Date.parse(createdAt) <= Date.parse(timestamp) &&
  (type === 'webhook.test' ? data.object.id === id : events.includes(type));

/** The service cannot find deliveries by event, so the console searches each webhook's latest deliveries. */
const findDeliveries = async (petstore: Petstore, event: LiveEvent, most: number) => {
  const webhooks = (await petstore.webhooks.list().toArray()).filter((webhook) => isReported(webhook, event));
  const seen = webhooks.slice(0, most).map(async (webhook): Promise<TestResponse> => {
    const { items } = await petstore.webhooks.deliveries(webhook.id, { order: 'desc', limit: LATEST }).page();
    return { webhook, delivery: items.find(({ eventId }) => eventId === event.id) };
  });
  return { seen: await Promise.all(seen), others: Math.max(0, webhooks.length - most) };
};

const isUnderWay = ({ delivery }: TestResponse): boolean => delivery?.state === 'pending' && delivery.attempt === 0;

const DeliveryState = ({ of }: { of: Delivery }) => {
  const { word, tone, shape } = deliveryState(of);
  return (
    <>
      <Badge tone={tone} shape={shape}>
        {word}
      </Badge>{' '}
      <AttemptWords of={of} />
    </>
  );
};

export const EventDeliveries = ({ of }: { of: LiveEvent }) => {
  const { petstore } = useSession();
  const [most, setMax] = useState(WEBHOOKS_PER_PAGE);
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', 'of-event', of.id, most],
    queryFn: () => findDeliveries(petstore, of, most),
    refetchInterval: ({ state }) => (state.data?.seen.some(isUnderWay) ? REFRESH_MS : false),
    placeholderData: (before) => before,
  });
  if (error) return <ErrorNote error={error} onRetry={() => refetch()} />;
  if (!data) return <Skeleton lines={2} />;
  return (
    <div className="stack">
      <ul className="items">
        {data.seen.map(({ webhook: { id, url }, delivery }) => (
          <li key={id}>
            <Link href={`/webhooks?webhook=${id}${delivery ? `&delivery=${delivery.id}` : ''}`}>{url}</Link>
            <div>
              {delivery ? (
                <DeliveryState of={delivery} />
              ) : (
                <span className="soft">{texts.deliveries.notFound(LATEST)}</span>
              )}
            </div>
          </li>
        ))}
      </ul>
      {data.seen.length === 0 && <p className="soft">{texts.deliveries.none}</p>}
      {data.others > 0 && (
        <Button onClick={() => setMax(most + WEBHOOKS_PER_PAGE)}>{texts.deliveries.more(data.others)}</Button>
      )}
    </div>
  );
};
