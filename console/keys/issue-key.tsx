import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { KeyCreation } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Field, fieldErrors } from '../kit/field.tsx';
import { ENVIRONMENT, useSession } from '../session/session.ts';
import { KeyFields, readKeyFields } from './key-fields.tsx';
import { NewSecret } from './new-secret.tsx';

const readForm = (form: FormData): KeyCreation => {
  const [storeId, expires] = [String(form.get('storeId')).trim(), String(form.get('expiresAt'))];
  return {
    ...readKeyFields(form),
    ...(storeId ? { storeId: BigInt(storeId) } : {}),
    ...(expires ? { expiresAt: new Date(expires).toISOString() } : {}),
  };
};

/** Form for a new key. Shows the secret afterwards, once. */
export const IssueKey = ({ onClose }: { onClose: () => void }) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const issue = useMutation({
    mutationFn: (body: KeyCreation) => petstore.keys.create(body),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
  const errors = fieldErrors(issue.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    issue.mutate(readForm(new FormData(event.currentTarget)));
  };
  return (
    <Dialog title={issue.data ? 'A new key' : 'Issue a key'} onClose={onClose}>
      {issue.data ? (
        <div className="stack">
          <NewSecret issued={issue.data} />
          <div className="row end">
            <Button kind="primary" onClick={onClose}>
              I have kept it
            </Button>
          </div>
        </div>
      ) : (
        <form className="stack" onSubmit={submit}>
          <KeyFields errors={errors} />
          <Field label="Ends on" hint="Left empty: never." error={errors.expiresAt}>
            <input name="expiresAt" type="datetime-local" />
          </Field>
          <Field
            label="Store"
            hint={
              ENVIRONMENT === 'staging'
                ? 'A number that exists shares that store; left empty: a new one of its own.'
                : 'Left empty: store 1. A new number opens a new store.'
            }
            error={errors.storeId}
          >
            <input name="storeId" inputMode="numeric" pattern="[0-9]*" autoComplete="off" />
          </Field>
          {issue.error && Object.keys(errors).length === 0 && <ErrorNote error={issue.error} />}
          <div className="row end">
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" type="submit" isBusy={issue.isPending}>
              Issue the key
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
};
