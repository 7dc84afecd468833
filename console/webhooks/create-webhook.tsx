import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { EventType, WebhookCreation } from '../../client/src/index.ts';
import { tellableTypes } from '../data/event-types.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { EventBoxes } from '../kit/event-boxes.tsx';
import { Field, fieldErrors } from '../kit/field.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { leaveNow } from '../kit/overlay/leave.ts';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { NewSecret } from './new-secret.tsx';
import { texts } from './texts.ts';
import { useWebhookChanged } from './webhook-cache.ts';

type Props = { onClose: () => void; onMade: (id: string) => void };

export const CreateWebhook = ({ onClose, onMade }: Props) => {
  const { petstore, can } = useSession();
  const [events, setEvents] = useState<EventType[]>(['pet.created']);
  const showChange = useWebhookChanged();
  const create = useMutation({
    mutationFn: (body: WebhookCreation) => petstore.webhooks.create(body),
    onSuccess: showChange,
  });
  const errors = fieldErrors(create.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate({ url: String(new FormData(event.currentTarget).get('url')).trim(), events });
  };
  const made = create.data;
  if (made) {
    return (
      <Dialog title={texts.added} onClose={() => onMade(made.id)}>
        <div className="stack">
          <NewSecret made={made} />
          <div className="row end">
            <Button kind="primary" onClick={() => leaveNow(() => onMade(made.id))}>
              {common.saved}
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.add} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={common.endpoint} hint={texts.endpointHint} error={errors.url}>
          <input name="url" required maxLength={2048} inputMode="url" autoComplete="off" spellCheck={false} />
        </Field>
        <EventBoxes
          legend={texts.eventsToSend}
          types={tellableTypes(can)}
          chosen={events}
          onChange={setEvents}
          error={errors.events}
        />
        {create.error && Object.keys(errors).length === 0 && <ErrorNote error={create.error} />}
        <div className="row end">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={create.isPending}>
            {texts.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
