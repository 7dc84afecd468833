import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { Key } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Confirm } from '../kit/overlay/confirm.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { say } from '../kit/overlay/toasts.tsx';
import { isolated } from '../kit/text.ts';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { NewSecret } from './new-secret.tsx';
import { texts } from './texts.ts';

const RotateDialog = ({ of, onClose }: { of: Key; onClose: () => void }) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const [graceSeconds, setGrace] = useState(3600);
  const [isAsking, setAsking] = useState(false);
  const rotate = useMutation({
    mutationFn: () => petstore.keys.rotate(of.id, { graceSeconds }),
    onSuccess: () => {
      setAsking(false);
      return queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  if (rotate.data) {
    return (
      <Dialog title={texts.rotate.done} onClose={onClose}>
        <NewSecret issued={rotate.data} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.rotate.title(isolated(of.name))} onClose={onClose}>
      <div className="stack">
        <p>{texts.rotate.text}</p>
        <fieldset className="scopes">
          <legend>{texts.rotate.oldSecret}</legend>
          {texts.rotate.graces.map(([seconds, effect]) => (
            <label key={seconds}>
              <input type="radio" name="grace" checked={graceSeconds === seconds} onChange={() => setGrace(seconds)} />
              {effect}
            </label>
          ))}
        </fieldset>
        {rotate.error && !isAsking && <ErrorNote error={rotate.error} />}
        <div className="row end">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            kind="primary"
            onClick={() => (graceSeconds === 0 ? setAsking(true) : rotate.mutate())}
            isBusy={rotate.isPending}
          >
            {texts.rotate.rotate}
          </Button>
        </div>
      </div>
      {isAsking && (
        <Confirm
          title={texts.rotate.question(isolated(of.name))}
          action={texts.rotate.confirm}
          typed={of.name}
          isBusy={rotate.isPending}
          error={rotate.error}
          onConfirm={() => rotate.mutate()}
          onClose={() => setAsking(false)}
        >
          {texts.rotate.consequence}
        </Confirm>
      )}
    </Dialog>
  );
};

const RevokeKey = ({ of }: { of: Key }) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const revoke = useMutation({
    mutationFn: () => petstore.keys.revoke(of.id),
    onSuccess: async () => {
      setAsking(false);
      say(texts.revoke.done(isolated(of.name)));
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  return (
    <>
      <Button kind="quiet danger" className="push" onClick={() => setAsking(true)}>
        {texts.revoke.revoke}
      </Button>
      {isAsking && (
        <Confirm
          title={texts.revoke.question(isolated(of.name))}
          action={texts.revoke.confirm}
          typed={of.name}
          isBusy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate()}
          onClose={() => setAsking(false)}
        >
          {texts.revoke.consequence}
        </Confirm>
      )}
    </>
  );
};

export const EndKey = ({ of }: { of: Key }) => {
  const [isRotating, setRotating] = useState(false);
  return (
    <>
      <Button icon={RefreshCw} onClick={() => setRotating(true)}>
        {texts.rotate.open}
      </Button>
      <RevokeKey of={of} />
      {isRotating && <RotateDialog of={of} onClose={() => setRotating(false)} />}
    </>
  );
};
