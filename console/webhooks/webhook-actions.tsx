import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RefreshCw, Send } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Webhook } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Confirm } from '../kit/overlay/confirm.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
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
    <Button kind="tint" icon={Send} onClick={() => send.mutate()} isBusy={send.isPending}>
      {texts.sendTest}
    </Button>
  );
};

/** Disabling a webhook drops its pending deliveries, so the user must confirm first. */
export const SwitchWebhook = ({ of: { id, enabled, url } }: { of: Webhook }) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const showChange = useWebhookChanged();
  const [isAsking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: () => petstore.webhooks.update(id, { enabled: !enabled }),
    onError: sayError,
    onSuccess: async (webhook) => {
      setAsking(false);
      say(webhook.enabled ? texts.enabledNow : texts.disabledNow);
      await Promise.all([showChange(webhook), queries.invalidateQueries({ queryKey: logKey(id) })]);
    },
  });
  return (
    <>
      <Button onClick={() => (enabled ? setAsking(true) : change.mutate())} isBusy={change.isPending}>
        {enabled ? texts.disable : texts.enable}
      </Button>
      {isAsking && (
        <Confirm
          title={texts.off.question}
          action={texts.off.confirm}
          isBusy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate()}
          onClose={() => setAsking(false)}
        >
          {texts.off.consequence(url)}
        </Confirm>
      )}
    </>
  );
};

/**
 * The service signs deliveries with both secrets for one day, so that the receiver can switch to the new secret without
 * rejecting a delivery.
 */
const RotateDialog = ({ of: { id }, onClose }: { of: Webhook; onClose: () => void }) => {
  const { petstore } = useSession();
  const rotate = useMutation({ mutationFn: () => petstore.webhooks.rotateSecret(id) });
  return (
    <Dialog title={texts.secret.rotateTitle} onClose={onClose}>
      <div className="stack">
        {rotate.data && <NewSecret made={rotate.data} />}
        <p className="soft">{rotate.data ? texts.secret.oldStillSigns : texts.secret.rotateText}</p>
        {rotate.error && <ErrorNote error={rotate.error} />}
        <div className="row end">
          {!rotate.data && <Button onClick={onClose}>{common.cancel}</Button>}
          <Button
            kind="primary"
            isBusy={rotate.isPending}
            onClick={() => (rotate.data ? leaveNow(onClose) : rotate.mutate())}
          >
            {rotate.data ? common.saved : texts.secret.confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
};

export const RotateSecret = ({ of }: { of: Webhook }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={RefreshCw} onClick={() => setOpen(true)}>
        {texts.secret.rotate}
      </Button>
      {isOpen && <RotateDialog of={of} onClose={() => setOpen(false)} />}
    </>
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
      <Button kind="quiet danger" className="push" onClick={() => setAsking(true)}>
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
