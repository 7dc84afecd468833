import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCcw, TriangleAlert } from 'lucide-react';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/overlay/confirm.tsx';
import { say } from '../kit/overlay/toasts.tsx';
import { useSession } from '../session/session.ts';
import { common, texts } from '../texts.ts';

export const StagingRibbon = ({ onReset }: { onReset: () => void }) => {
  const { can } = useSession();
  return (
    <aside className="ribbon" aria-label={texts.staging.title}>
      <TriangleAlert className="icon" />
      {texts.staging.note}
      {can('pets:write') && (
        <Button className="small" icon={RotateCcw} onClick={onReset}>
          {texts.staging.reset}
        </Button>
      )}
    </aside>
  );
};

export const ResetStore = ({ onClose }: { onClose: () => void }) => {
  const { petstore, me } = useSession();
  const queries = useQueryClient();
  const reset = useMutation({
    mutationFn: () => petstore.sandbox.reset(),
    onSuccess: async () => {
      onClose();
      say(texts.staging.done);
      await queries.invalidateQueries();
    },
  });
  return (
    <Confirm
      title={texts.staging.question}
      action={texts.staging.reset}
      typed={common.storeTitle(me.storeId)}
      isBusy={reset.isPending}
      error={reset.error}
      onConfirm={() => reset.mutate()}
      onClose={onClose}
    >
      {texts.staging.consequence}
    </Confirm>
  );
};
