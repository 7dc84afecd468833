import { type FormEvent, type ReactNode, useState } from 'react';
import type { EventType } from '../../client/src/index.ts';
import { tellableTypes } from '../data/event-types.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { EventBoxes } from '../kit/event-boxes.tsx';
import { Field, fieldErrors } from '../kit/field.tsx';
import { leaveNow, useGuard } from '../kit/overlay/leave.ts';
import { ROOT_URL, useSession } from '../session/session.ts';
import { common, texts as shared } from '../texts.ts';
import { LaptopGuide } from './laptop-guide.tsx';
import { texts } from './texts.ts';

type WebhookFields = { url: string; events: EventType[]; keyId: string };

type Props = {
  url?: string;
  events: EventType[];
  hint: string;
  action: string;
  isBusy: boolean;
  error: Error | null;
  onSubmit: (fields: WebhookFields) => void;
  /** Called if the user edits the form after an error. */
  onEdit: () => void;
  onClose: () => void;
  /** `errors` contains the service's message for each invalid field. Call `noteChange` after each change. */
  children?: (errors: Record<string, string>, noteChange: () => void) => ReactNode;
};

const AddressAdvice = ({ types }: { types: readonly string[] }) => (
  <>
    <p className="soft">
      {texts.otherAddresses(<code>PETSTORE_WEBHOOK_ALLOW_PRIVATE=true</code>)}{' '}
      <a href={`${ROOT_URL}/docs#guide-webhooks-allowed-addresses`} target="_blank" rel="noreferrer">
        {texts.allowedAddresses}
      </a>
    </p>
    <LaptopGuide {...(types.length > 0 ? { types } : {})} />
  </>
);

export const WebhookForm = ({ url, events: first, hint, action, isBusy, error, ...props }: Props) => {
  const { can } = useSession();
  const [events, setEvents] = useState(first);
  const [isChanged, setChanged] = useState(false);
  useGuard(isChanged ? shared.kit.unsaved : undefined);
  const errors = fieldErrors(error);
  const addressFault = texts.addressFaults[errors.url ?? ''];
  const types = tellableTypes(can);
  const noteChange = () => {
    setChanged(true);
    if (error) props.onEdit();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    props.onSubmit({
      url: String(form.get('url')).trim(),
      events,
      keyId: String(form.get('keyId') ?? '').trim(),
    });
  };
  return (
    <form className="stack" onSubmit={submit} onChange={noteChange}>
      <Field label={common.endpoint} hint={hint} error={addressFault ?? errors.url}>
        <input
          name="url"
          required
          maxLength={2048}
          defaultValue={url}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      {addressFault && <AddressAdvice types={events} />}
      {types.includes('pet.status_changed') && (
        <p className="soft">{texts.sales(<code>pet.status_changed</code>, <code>order.delivered</code>)}</p>
      )}
      <EventBoxes
        legend={texts.eventsToSend}
        types={types}
        chosen={events}
        onChange={(chosen) => {
          setEvents(chosen);
          noteChange();
        }}
        error={errors.events && texts.noEvents}
      />
      {props.children?.(errors, noteChange)}
      {error && Object.keys(errors).length === 0 && <ErrorNote error={error} />}
      <div className="row end">
        <Button onClick={() => leaveNow(props.onClose)}>{common.cancel}</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  );
};
