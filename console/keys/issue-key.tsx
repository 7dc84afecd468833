import { useState } from 'react';
import type { KeyCreation, KeyWithSecret } from '../../client/src/index.ts';
import { readNewestKeys } from '../data/use-key-names.ts';
import { Field } from '../kit/field.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { ENVIRONMENT, type Session, useSession } from '../session/session.ts';
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

/** The service cannot list stores, so the console searches the newest keys. */
const findNewStore = async ({ petstore, me }: Session, form: FormData): Promise<bigint | undefined> => {
  const { storeId } = readForm(form);
  if (storeId === undefined || storeId === BigInt(me.storeId)) return undefined;
  const keys = await readNewestKeys(petstore);
  return keys.some((key) => BigInt(key.storeId) === storeId) ? undefined : BigInt(storeId);
};

export const IssueKey = ({ onClose }: { onClose: () => void }) => {
  const session = useSession();
  const { petstore, me } = session;
  const [issued, setIssued] = useState<KeyWithSecret>();
  const [store, setStore] = useState(String(me.storeId));
  return (
    <Dialog title={issued ? texts.created : texts.create} onClose={onClose}>
      {issued ? (
        <NewSecret issued={issued} onClose={onClose} />
      ) : (
        <KeyForm
          action={store.trim() ? texts.createFor(store.trim()) : texts.create}
          kind="primary"
          send={(form) => petstore.keys.create(readForm(form))}
          newStoreOf={(form) => findNewStore(session, form)}
          onSent={setIssued}
          onClose={onClose}
        >
          {(errors) => (
            <div className="abreast">
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
                  value={store}
                  onChange={({ target }) => setStore(target.value)}
                />
              </Field>
              <Field label={texts.fields.expires} hint={texts.fields.expiresHint} error={errors.expiresAt}>
                <input name="expiresAt" type="datetime-local" />
              </Field>
            </div>
          )}
        </KeyForm>
      )}
    </Dialog>
  );
};
