import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Int64, Key } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/confirm.tsx';
import { isolated } from '../kit/text.ts';
import { say, sayError } from '../kit/toasts.tsx';
import { useSession } from '../session/session.ts';
import { NewSecret } from './new-secret.tsx';

const GRACES: [seconds: number, words: string][] = [
  [0, 'ends the old secret at once'],
  [3600, 'the old secret lives on for an hour'],
  [86_400, 'the old secret lives on for a day'],
];

const RotateKey = ({ of }: { of: Key<Int64> }) => {
  const { petstore } = useSession();
  const [graceSeconds, setGrace] = useState(3600);
  const rotate = useMutation({ mutationFn: () => petstore.keys.rotate(of.id, { graceSeconds }), onError: sayError });
  if (rotate.data) return <NewSecret issued={rotate.data} />;
  return (
    <div className="row">
      <Button onClick={() => rotate.mutate()} isBusy={rotate.isPending}>
        Rotate
      </Button>
      <select
        aria-label="What becomes of the old secret"
        value={graceSeconds}
        onChange={(event) => setGrace(Number(event.target.value))}
      >
        {GRACES.map(([seconds, words]) => (
          <option key={seconds} value={seconds}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
};

const RevokeKey = ({ of }: { of: Key<Int64> }) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const revoke = useMutation({
    mutationFn: () => petstore.keys.revoke(of.id),
    onSuccess: async () => {
      setAsking(false);
      say(`${isolated(of.name)} is revoked. Its requests are refused from now on.`);
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {isAsking && (
        <Confirm
          title={`Revoke ${isolated(of.name)}?`}
          action="Revoke the key"
          typed={of.name}
          isBusy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate()}
          onClose={() => setAsking(false)}
        >
          Whoever uses this key is refused from now on. A revoked key cannot be brought back.
        </Confirm>
      )}
    </>
  );
};

export const EndKey = ({ of }: { of: Key<Int64> }) => (
  <div className="stack">
    <RotateKey of={of} />
    <div>
      <RevokeKey of={of} />
    </div>
  </div>
);
