import { useState } from 'react';
import type { KeyCreation, KeyWithSecret } from '../../client/src/index.ts';
import { Field } from '../kit/field.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { ENVIRONMENT, useSession } from '../session/session.ts';
import { KeyForm, readKeyFields } from './key-fields.tsx';
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

export const IssueKey = ({ onClose }: { onClose: () => void }) => {
  const { petstore, me } = useSession();
  const [issued, setIssued] = useState<KeyWithSecret>();
  return (
    <Dialog title={issued ? texts.created : texts.create} onClose={onClose}>
      {issued ? (
        <NewSecret issued={issued} onClose={onClose} />
      ) : (
        <KeyForm
          action={texts.create}
          kind="primary"
          send={(form) => petstore.keys.create(readForm(form))}
          onSent={setIssued}
          onClose={onClose}
        >
          {(errors) => (
            <>
              <Field label={texts.fields.expires} hint={texts.fields.expiresHint} error={errors.expiresAt}>
                <input name="expiresAt" type="datetime-local" />
              </Field>
              <Field
                label={texts.fields.store}
                hint={ENVIRONMENT === 'staging' ? texts.fields.stagingStoreHint : texts.fields.storeHint}
                error={errors.storeId}
              >
                <input
                  name="storeId"
                  inputMode="numeric"
                  pattern="[0-9]*"
                  autoComplete="off"
                  defaultValue={String(me.storeId)}
                />
              </Field>
            </>
          )}
        </KeyForm>
      )}
    </Dialog>
  );
};
