import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Key, Webhook, WebhookChange } from '../../client/src/index.ts';
import { tellableTypes } from '../data/event-types.ts';
import { readNewestKeys } from '../data/use-key-names.ts';
import { Combobox } from '../kit/combobox.tsx';
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

/** The list offers the newest keys. The user can type the id of any other key. */
const useOfferedKeys = (): readonly Key[] => {
  const { petstore, can, me } = useSession();
  const { data = [] } = useQuery({
    queryKey: ['keys', 'offered'],
    queryFn: () => readNewestKeys(petstore),
    enabled: can('keys:write'),
    staleTime: 60_000,
  });
  return data.filter(({ storeId, revokedAt }) => storeId === me.storeId && revokedAt === null);
};

const choiceOf = ({ name, id }: Key): string => texts.keyChoice(name, id);

/**
 * Returns the id of the key that the text names. If no key or several keys match the text, returns the text itself,
 * which should be an id.
 */
const meantId = (keys: readonly Key[], typed: string): string => {
  const meant = keys.filter((key) => [choiceOf(key), key.name].includes(typed));
  return meant.length === 1 && meant[0] ? meant[0].id : typed;
};

/**
 * Some fields can be changed only with additional scopes, so the request contains only the fields that the user
 * changed.
 */
export const ChangeWebhook = ({ of, onClose }: { of: Webhook; onClose: () => void }) => {
  const { petstore, can } = useSession();
  const offered = useOfferedKeys();
  const [typed, setTyped] = useState('');
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
        onEdit={change.reset}
        onSubmit={({ url, events, keyId }) =>
          change.mutate({
            ...(url === of.url ? {} : { url }),
            ...(sameTypes(events, of.events) ? {} : { events }),
            ...(keyId ? { keyId: meantId(offered, keyId) } : {}),
          })
        }
        onClose={onClose}
      >
        {(errors, noteChange) => (
          <>
            {hidden.length > 0 && <p className="soft">{texts.hiddenEvents(hidden)}</p>}
            {can('keys:write') && (
              <Field label={texts.key} hint={texts.keyHint} error={errors.keyId}>
                <Combobox
                  name="keyId"
                  placeholder={texts.keepKey}
                  value={typed}
                  choices={offered.map((key) => ({ value: choiceOf(key) }))}
                  onChange={(value) => {
                    setTyped(value);
                    noteChange();
                  }}
                />
              </Field>
            )}
          </>
        )}
      </WebhookForm>
    </Dialog>
  );
};
