import { useQuery } from '@tanstack/react-query';
import { ApiCall } from '../kit/api-call.tsx';
import { Badge } from '../kit/badge.tsx';
import { CopyButton } from '../kit/code.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Drawer } from '../kit/overlay/drawer.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { ChangeWebhook } from './change-webhook.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { LaptopGuide } from './laptop-guide.tsx';
import { texts } from './texts.ts';
import { RemoveWebhook, RotateSecret, SendTest, SwitchWebhook } from './webhook-actions.tsx';
import { webhookKey } from './webhook-cache.ts';
import { reasonOf, stateOf } from './webhook-state.ts';

export const WebhookDrawer = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { petstore } = useSession();
  const {
    data: webhook,
    error,
    refetch,
  } = useQuery({ queryKey: webhookKey(id), queryFn: () => petstore.webhooks.get(id) });
  const state = webhook && stateOf(webhook);
  return (
    <Drawer title={webhook?.url ?? texts.webhook} onClose={onClose}>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!webhook && !error && <Skeleton lines={10} />}
      {webhook && state && (
        <div className="stack sections">
          <p>
            <Badge tone={state.tone} shape={state.shape}>
              {state.word}
            </Badge>
            {!webhook.enabled && texts.reason(reasonOf(webhook))} · {texts.addedAt(<Time at={webhook.createdAt} />)} ·{' '}
            <CopyButton text={id} what={common.copied.id} label={id} />
          </p>
          <p className="soft">{texts.subscribedTo(webhook.events)}</p>
          <div className="row">
            {webhook.enabled && <SendTest of={webhook} />}
            <SwitchWebhook of={webhook} />
            <RotateSecret of={webhook} />
            <RemoveWebhook of={webhook} onRemoved={onClose} />
          </div>
          <details className="api-call">
            <summary>{texts.edit}</summary>
            <ChangeWebhook key={`${webhook.url} ${webhook.events}`} of={webhook} />
          </details>
          <LaptopGuide types={webhook.events} />
          <ApiCall
            method="GET"
            path={`/webhooks/${id}/deliveries?order=desc`}
            code={`for await (const delivery of petstore.webhooks.deliveries('${id}', { order: 'desc' })) console.log(delivery);`}
          />
          <section>
            <h3>{texts.deliveries.title}</h3>
            <DeliveryLog of={webhook} />
          </section>
        </div>
      )}
    </Drawer>
  );
};
