import { useMutation } from '@tanstack/react-query';
import type { Webhook, WebhookChange } from '../../client/src/index.ts';
import { tellableTypes } from '../data/event-types.ts';
import { useKeys } from '../data/use-key-names.ts';
import { Field } from '../kit/field.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { leaveNow } from '../kit/overlay/leave.ts';
import { say } from '../kit/overlay/toasts.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { texts } from './texts.ts';
import { useWebhookChanged } from './webhook-cache.ts';
import { WebhookForm } from './webhook-form.tsx';

const sameTypes = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((type) => b.includes(type));

/**
 * Some fields can be changed only with additional scopes, so the request contains only the fields that the user
 * changed.
 */
export const ChangeWebhook = ({ of, onClose }: { of: Webhook; onClose: () => void }) => {
  const { petstore, can, me } = useSession();
  const { data: keys = [] } = useKeys();
  const offered = keys.filter(({ storeId, revokedAt }) => storeId === me.storeId && revokedAt === null);
  const showChange = useWebhookChanged();
  const change = useMutation({
    mutationFn: (body: WebhookChange) => petstore.webhooks.update(of.id, body),
    onSuccess: async (webhook) => {
      say(texts.saved);
      leaveNow(onClose);
      await showChange(webhook);
    },
  });
  const types = tellableTypes(can);
  const hidden = of.events.filter((type) => !types.includes(type));
  return (
    <Dialog title={texts.edit} onClose={onClose}>
      <WebhookForm
        url={of.url}
        events={of.events}
        hint={texts.newEndpointHint}
        action={common.save}
        isBusy={change.isPending}
        error={change.error}
        onSubmit={({ url, events, keyId }) =>
          change.mutate({
            ...(url === of.url ? {} : { url }),
            ...(sameTypes(events, of.events) ? {} : { events }),
            ...(keyId ? { keyId } : {}),
          })
        }
        onClose={onClose}
      >
        {(errors) => (
          <>
            {hidden.length > 0 && <p className="soft">{texts.hiddenEvents(hidden)}</p>}
            {can('keys:write') && (
              <Field label={texts.key} hint={texts.keyHint} error={errors.keyId}>
                <select name="keyId">
                  <option value="">{texts.keepKey}</option>
                  {offered.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </select>
              </Field>
            )}
          </>
        )}
      </WebhookForm>
    </Dialog>
  );
};
