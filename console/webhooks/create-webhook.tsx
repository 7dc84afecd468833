import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { EventType, WebhookCreation } from '../../client/src/index.ts';
import { tellableTypes } from '../data/event-types.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { EventBoxes } from '../kit/event-boxes.tsx';
import { Field, fieldErrors } from '../kit/field.tsx';
import { useSession } from '../session/session.ts';
import { NewSecret } from './new-secret.tsx';
import { useWebhookChanged } from './webhook-cache.ts';

type Props = { onClose: () => void; onMade: (id: string) => void };

/** Form for a new webhook. Shows the secret afterwards, once. */
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
      <Dialog title="A new webhook" onClose={() => onMade(made.id)}>
        <div className="stack">
          <NewSecret made={made} />
          <div className="row end">
            <Button kind="primary" onClick={() => onMade(made.id)}>
              I have kept it
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Add a webhook" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field
          label="Endpoint"
          hint="An https address that is public, such as https://shop.example/hooks."
          error={errors.url}
        >
          <input name="url" required maxLength={2048} inputMode="url" autoComplete="off" spellCheck={false} />
        </Field>
        <EventBoxes
          legend="What it is told of"
          types={tellableTypes(can)}
          chosen={events}
          onChange={setEvents}
          error={errors.events}
        />
        {create.error && Object.keys(errors).length === 0 && <ErrorNote error={create.error} />}
        <div className="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={create.isPending}>
            Add the webhook
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
