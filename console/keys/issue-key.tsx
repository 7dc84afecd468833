import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { KeyCreation, KeyWithSecret } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Field, fieldErrors } from '../kit/field.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { leaveNow, useGuard } from '../kit/overlay/leave.ts';
import { ENVIRONMENT, useSession } from '../session/session.ts';
import { common, texts as shared } from '../texts.ts';
import { KeyFields, readKeyFields } from './key-fields.tsx';
import { NewSecret } from './new-secret.tsx';
import { texts } from './texts.ts';

const readForm = (form: FormData): KeyCreation => {
  const [storeId, expires] = [String(form.get('storeId')).trim(), String(form.get('expiresAt'))];
  return {
    ...readKeyFields(form),
    ...(storeId ? { storeId: BigInt(storeId) } : {}),
    ...(expires ? { expiresAt: new Date(expires).toISOString() } : {}),
  };
};

type FormProps = { onIssued: (issued: KeyWithSecret) => void; onClose: () => void };

const Form = ({ onIssued, onClose }: FormProps) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const [isChanged, setChanged] = useState(false);
  useGuard(isChanged ? shared.kit.unsaved : undefined);
  const issue = useMutation({
    mutationFn: (body: KeyCreation) => petstore.keys.create(body),
    onSuccess: async (issued) => {
      onIssued(issued);
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const errors = fieldErrors(issue.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    issue.mutate(readForm(new FormData(event.currentTarget)));
  };
  return (
    <form className="stack" onSubmit={submit} onChange={() => setChanged(true)}>
      <KeyFields errors={errors} />
      <Field label={texts.fields.expires} hint={texts.fields.expiresHint} error={errors.expiresAt}>
        <input name="expiresAt" type="datetime-local" />
      </Field>
      <Field
        label={texts.fields.store}
        hint={ENVIRONMENT === 'staging' ? texts.fields.stagingStoreHint : texts.fields.storeHint}
        error={errors.storeId}
      >
        <input name="storeId" inputMode="numeric" pattern="[0-9]*" autoComplete="off" />
      </Field>
      {issue.error && Object.keys(errors).length === 0 && <ErrorNote error={issue.error} />}
      <div className="row end">
        <Button onClick={() => leaveNow(onClose)}>{common.cancel}</Button>
        <Button kind="primary" type="submit" isBusy={issue.isPending}>
          {texts.create}
        </Button>
      </div>
    </form>
  );
};

export const IssueKey = ({ onClose }: { onClose: () => void }) => {
  const [issued, setIssued] = useState<KeyWithSecret>();
  return (
    <Dialog title={issued ? texts.created : texts.create} onClose={onClose}>
      {issued ? (
        <div className="stack">
          <NewSecret issued={issued} />
          <div className="row end">
            <Button kind="primary" onClick={() => leaveNow(onClose)}>
              {common.saved}
            </Button>
          </div>
        </div>
      ) : (
        <Form onIssued={setIssued} onClose={onClose} />
      )}
    </Dialog>
  );
};
