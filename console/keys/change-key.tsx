import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Key, KeyChange } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { fieldErrors } from '../kit/field.tsx';
import { leaveNow, useGuard } from '../kit/overlay/leave.ts';
import { say } from '../kit/overlay/toasts.tsx';
import { useSession } from '../session/session.ts';
import { common, texts as shared } from '../texts.ts';
import { KeyFields, readKeyFields } from './key-fields.tsx';
import { texts } from './texts.ts';

export const ChangeKey = ({ of, onClose }: { of: Key; onClose: () => void }) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const [isChanged, setChanged] = useState(false);
  useGuard(isChanged ? shared.kit.unsaved : undefined);
  const change = useMutation({
    mutationFn: (body: KeyChange) => petstore.keys.update(of.id, body),
    onSuccess: async () => {
      say(texts.saved);
      leaveNow(onClose);
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const errors = fieldErrors(change.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate(readKeyFields(new FormData(event.currentTarget)));
  };
  return (
    <form className="stack" onSubmit={submit} onChange={() => setChanged(true)}>
      <KeyFields of={of} errors={errors} />
      {change.error && Object.keys(errors).length === 0 && <ErrorNote error={change.error} />}
      <div className="row end">
        <Button onClick={() => leaveNow(onClose)}>{common.cancel}</Button>
        <Button kind="tint" type="submit" isBusy={change.isPending}>
          {common.save}
        </Button>
      </div>
    </form>
  );
};
