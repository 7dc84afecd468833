import { useMutation, useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/overlay/confirm.tsx';
import { say } from '../kit/overlay/toasts.tsx';
import { useSession } from '../session/session.ts';
import { texts } from '../texts.ts';

export const StagingRibbon = () => {
  const { petstore, can } = useSession();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const reset = useMutation({
    mutationFn: () => petstore.sandbox.reset(),
    onSuccess: async () => {
      setAsking(false);
      say(texts.staging.done);
      await queries.invalidateQueries();
    },
  });
  return (
    <>
      <aside className="ribbon" aria-label={texts.staging.title}>
        <TriangleAlert className="icon" />
        {texts.staging.note}
        {can('pets:write') && (
          <Button className="small" onClick={() => setAsking(true)}>
            {texts.staging.reset}
          </Button>
        )}
      </aside>
      {isAsking && (
        <Confirm
          title={texts.staging.question}
          action={texts.staging.reset}
          isBusy={reset.isPending}
          error={reset.error}
          onConfirm={() => reset.mutate()}
          onClose={() => setAsking(false)}
        >
          {texts.staging.consequence}
        </Confirm>
      )}
    </>
  );
};
