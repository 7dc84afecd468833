import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Webhook } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/overlay/confirm.tsx';
import { leaveNow } from '../kit/overlay/leave.ts';
import { say, sayError } from '../kit/overlay/toasts.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { NewSecret } from './new-secret.tsx';
import { texts } from './texts.ts';
import { logKey, useWebhookChanged } from './webhook-cache.ts';

export const SendTest = ({ of: { id } }: { of: Webhook }) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const [, setSearch] = useSearchParams();
  const send = useMutation({
    mutationFn: () => petstore.webhooks.test(id),
    onError: sayError,
    onSuccess: async (delivery) => {
      setSearch({ webhook: id, delivery: delivery.id }, { replace: true });
      await queries.invalidateQueries({ queryKey: logKey(id) });
    },
  });
  return (
    <Button kind="primary" onClick={() => send.mutate()} isBusy={send.isPending}>
      {texts.sendTest}
    </Button>
  );
};

export const SwitchWebhook = ({ of: { id, enabled } }: { of: Webhook }) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const showChange = useWebhookChanged();
  const change = useMutation({
    mutationFn: () => petstore.webhooks.update(id, { enabled: !enabled }),
    onError: sayError,
    onSuccess: async (webhook) => {
      say(webhook.enabled ? texts.enabledNow : texts.disabledNow);
      await Promise.all([showChange(webhook), queries.invalidateQueries({ queryKey: logKey(id) })]);
    },
  });
  return (
    <Button onClick={() => change.mutate()} isBusy={change.isPending}>
      {enabled ? texts.disable : texts.enable}
    </Button>
  );
};

/**
 * For one day, the service signs deliveries with both secrets, so that the receiver can switch without rejecting any.
 */
export const RotateSecret = ({ of: { id } }: { of: Webhook }) => {
  const { petstore } = useSession();
  const rotate = useMutation({ mutationFn: () => petstore.webhooks.rotateSecret(id), onError: sayError });
  if (rotate.data) {
    return (
      <div className="whole stack">
        <NewSecret made={rotate.data} />
        <p className="soft">{texts.secret.oldStillSigns}</p>
      </div>
    );
  }
  return (
    <Button onClick={() => rotate.mutate()} isBusy={rotate.isPending}>
      {texts.secret.rotate}
    </Button>
  );
};

export const RemoveWebhook = ({ of: { id, url }, onRemoved }: { of: Webhook; onRemoved: () => void }) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => petstore.webhooks.delete(id),
    onSuccess: async () => {
      leaveNow(onRemoved);
      say(texts.remove.done(url));
      await queries.invalidateQueries({ queryKey: ['webhooks', 'all'] });
    },
  });
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {common.delete}
      </Button>
      {isAsking && (
        <Confirm
          title={texts.remove.question}
          action={texts.remove.confirm}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          {texts.remove.consequence(url)}
        </Confirm>
      )}
    </>
  );
};
