import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Key } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/overlay/confirm.tsx';
import { say, sayError } from '../kit/overlay/toasts.tsx';
import { isolated } from '../kit/text.ts';
import { useSession } from '../session/session.ts';
import { NewSecret } from './new-secret.tsx';
import { texts } from './texts.ts';

const RotateKey = ({ of }: { of: Key }) => {
  const { petstore } = useSession();
  const [graceSeconds, setGrace] = useState(3600);
  const rotate = useMutation({ mutationFn: () => petstore.keys.rotate(of.id, { graceSeconds }), onError: sayError });
  const [isAsking, setAsking] = useState(false);
  if (rotate.data) return <NewSecret issued={rotate.data} />;
  return (
    <div className="row">
      <Button onClick={() => (graceSeconds === 0 ? setAsking(true) : rotate.mutate())} isBusy={rotate.isPending}>
        {texts.rotate.rotate}
      </Button>
      <select
        aria-label={texts.rotate.oldSecret}
        value={graceSeconds}
        onChange={(event) => setGrace(Number(event.target.value))}
      >
        {texts.rotate.graces.map(([seconds, effect]) => (
          <option key={seconds} value={seconds}>
            {effect}
          </option>
        ))}
      </select>
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
    </div>
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
      <Button kind="danger" onClick={() => setAsking(true)}>
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

export const EndKey = ({ of }: { of: Key }) => (
  <div className="stack">
    <RotateKey of={of} />
    <div>
      <RevokeKey of={of} />
    </div>
  </div>
);
