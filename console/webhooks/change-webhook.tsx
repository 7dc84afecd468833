import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Webhook, WebhookChange } from '../../client/src/index.ts';
import { tellableTypes } from '../data/event-types.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { EventBoxes } from '../kit/event-boxes.tsx';
import { Field, fieldErrors } from '../kit/field.tsx';
import { say } from '../kit/overlay/toasts.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { texts } from './texts.ts';
import { useWebhookChanged } from './webhook-cache.ts';

const sameTypes = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((type) => b.includes(type));

/** Sends only the changed fields, because some fields need additional scopes. */
export const ChangeWebhook = ({ of }: { of: Webhook }) => {
  const { petstore, can } = useSession();
  const [events, setEvents] = useState(of.events);
  const showChange = useWebhookChanged();
  const change = useMutation({
    mutationFn: (body: WebhookChange) => petstore.webhooks.update(of.id, body),
    onSuccess: async (webhook) => {
      say(texts.saved);
      await showChange(webhook);
    },
  });
  const errors = fieldErrors(change.error);
  const types = tellableTypes(can);
  const hidden = of.events.filter((type) => !types.includes(type));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const url = String(form.get('url')).trim();
    const keyId = String(form.get('keyId') ?? '').trim();
    change.mutate({
      ...(url === of.url ? {} : { url }),
      ...(sameTypes(events, of.events) ? {} : { events }),
      ...(keyId ? { keyId } : {}),
    });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field label={common.endpoint} hint={texts.newEndpointHint} error={errors.url}>
        <input name="url" required maxLength={2048} defaultValue={of.url} autoComplete="off" spellCheck={false} />
      </Field>
      <EventBoxes
        legend={texts.eventsToSend}
        types={types}
        chosen={events}
        onChange={setEvents}
        error={errors.events}
      />
      {hidden.length > 0 && <p className="soft">{texts.hiddenEvents(hidden)}</p>}
      {can('keys:write') && (
        <Field label={texts.key} hint={texts.keyHint} error={errors.keyId}>
          <input name="keyId" placeholder="key_…" autoComplete="off" spellCheck={false} />
        </Field>
      )}
      {change.error && Object.keys(errors).length === 0 && <ErrorNote error={change.error} />}
      <div className="row end">
        <Button kind="primary" type="submit" isBusy={change.isPending}>
          {common.save}
        </Button>
      </div>
    </form>
  );
};
