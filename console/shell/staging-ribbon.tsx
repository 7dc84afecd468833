import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/confirm.tsx';
import { say } from '../kit/toasts.tsx';
import { useSession } from '../session/session.ts';

/** Marks staging data as not real, and offers a reset. */
export const StagingRibbon = () => {
  const { petstore, can } = useSession();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const reset = useMutation({
    mutationFn: () => petstore.sandbox.reset(),
    onSuccess: async () => {
      setAsking(false);
      say('The store is as it was at the beginning.');
      await queries.invalidateQueries();
    },
  });
  return (
    <>
      <aside className="ribbon" aria-label="Staging">
        Staging: test data.{' '}
        {can('pets:write') && (
          <Button className="small" onClick={() => setAsking(true)}>
            Reset the store
          </Button>
        )}
      </aside>
      {isAsking && (
        <Confirm
          title="Reset the store?"
          action="Reset the store"
          isBusy={reset.isPending}
          error={reset.error}
          onConfirm={() => reset.mutate()}
          onClose={() => setAsking(false)}
        >
          Animals, orders and categories become those of a new sandbox. Keys, webhooks and past events stay.
        </Confirm>
      )}
    </>
  );
};
