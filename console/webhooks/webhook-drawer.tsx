import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { Webhook } from '../../client/src/index.ts';
import { ApiCall } from '../kit/api-call.tsx';
import { Button } from '../kit/button.tsx';
import { Callout } from '../kit/callout.tsx';
import { CopyButton } from '../kit/code.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Drawer } from '../kit/overlay/drawer.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { ChangeWebhook } from './change-webhook.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { Health, StateBadge } from './health.tsx';
import { LaptopGuide } from './laptop-guide.tsx';
import { texts } from './texts.ts';
import { RemoveWebhook, RotateSecret, SendTest, SwitchWebhook } from './webhook-actions.tsx';
import { webhookKey } from './webhook-cache.ts';
import { reasonOf } from './webhook-state.ts';

const Facts = ({ of, onChange }: { of: Webhook; onChange: () => void }) => (
  <dl className="facts">
    <dt>{common.status}</dt>
    <dd>
      <StateBadge of={of} />
    </dd>
    <dt>{texts.health.title}</dt>
    <dd>
      <Health of={of.id} />
    </dd>
    <dt>{texts.receives}</dt>
    <dd className="row">
      <span className="grow">{of.events.join(', ')}</span>
      <Button className="small" icon={Pencil} onClick={onChange}>
        {texts.change}
      </Button>
    </dd>
    <dt>{texts.addedLabel}</dt>
    <dd>
      <Time at={of.createdAt} />
    </dd>
    <dt>{texts.id}</dt>
    <dd>
      <CopyButton text={of.id} what={common.copied.id} label={of.id} />
    </dd>
  </dl>
);

const Story = ({ of }: { of: Webhook }) => {
  const [isChanging, setChanging] = useState(false);
  return (
    <div className="stack sections">
      {!of.enabled && (
        <Callout tone="warn" title={texts.offTitle(reasonOf(of))}>
          {of.disabledReason === 'switched_off' ? texts.offText : texts.offFaultText}
        </Callout>
      )}
      <Facts of={of} onChange={() => setChanging(true)} />
      <section>
        <h3>{texts.deliveries.title}</h3>
        <DeliveryLog of={of} />
      </section>
      <LaptopGuide types={of.events} />
      <ApiCall
        method="GET"
        path={`/webhooks/${of.id}/deliveries?order=desc`}
        code={`for await (const delivery of petstore.webhooks.deliveries('${of.id}', { order: 'desc' })) console.log(delivery);`}
      />
      {isChanging && <ChangeWebhook of={of} onClose={() => setChanging(false)} />}
    </div>
  );
};

export const WebhookDrawer = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { petstore } = useSession();
  const {
    data: webhook,
    error,
    refetch,
  } = useQuery({ queryKey: webhookKey(id), queryFn: () => petstore.webhooks.get(id) });
  return (
    <Drawer
      isBig
      title={webhook?.url ?? texts.webhook}
      onClose={onClose}
      footer={
        webhook && (
          <>
            {webhook.enabled && <SendTest of={webhook} />}
            <SwitchWebhook of={webhook} />
            <RotateSecret of={webhook} />
            <RemoveWebhook of={webhook} onRemoved={onClose} />
          </>
        )
      }
    >
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!webhook && !error && <Skeleton lines={10} />}
      {webhook && <Story of={webhook} />}
    </Drawer>
  );
};
