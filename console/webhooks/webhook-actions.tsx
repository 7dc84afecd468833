import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Webhook } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/confirm.tsx';
import { say, sayError } from '../kit/toasts.tsx';
import { useSession } from '../session/session.ts';
import { NewSecret } from './new-secret.tsx';
import { logKey, useWebhookChanged } from './webhook-cache.ts';

/** Sends a test event and opens its delivery. */
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
      Send a test
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
      say(webhook.enabled ? 'It is told of what happens from now on.' : 'Nothing is sent any more.');
      await Promise.all([showChange(webhook), queries.invalidateQueries({ queryKey: logKey(id) })]);
    },
  });
  return (
    <Button onClick={() => change.mutate()} isBusy={change.isPending}>
      {enabled ? 'Switch off' : 'Switch on'}
    </Button>
  );
};

/** Rotates the secret. The old one also signs for a day, so that the receiver can switch without a gap. */
export const RotateSecret = ({ of: { id } }: { of: Webhook }) => {
  const { petstore } = useSession();
  const rotate = useMutation({ mutationFn: () => petstore.webhooks.rotateSecret(id), onError: sayError });
  if (rotate.data) {
    return (
      <div className="whole stack">
        <NewSecret made={rotate.data} />
        <p className="soft">For 24 hours deliveries are signed with the secret before as well.</p>
      </div>
    );
  }
  return (
    <Button onClick={() => rotate.mutate()} isBusy={rotate.isPending}>
      Rotate the secret
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
      onRemoved();
      say(`The webhook to ${url} is removed.`);
      await queries.invalidateQueries({ queryKey: ['webhooks', 'all'] });
    },
  });
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        Remove
      </Button>
      {isAsking && (
        <Confirm
          title="Remove the webhook?"
          action="Remove the webhook"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            {url} is told nothing any more, what was not delivered yet is not sent, and the log of its deliveries is
            removed. Switching it off keeps the log.
          </p>
        </Confirm>
      )}
    </>
  );
};
