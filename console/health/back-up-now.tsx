import { useMutation, useQueryClient } from '@tanstack/react-query';
import { DatabaseBackup } from 'lucide-react';
import { useEffect } from 'react';
import { BACKUPS, useBackups } from '../data/use-backups.ts';
import { Button } from '../kit/button.tsx';
import { say, sayError } from '../kit/overlay/toasts.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';

export const BackUpNow = () => {
  const { petstore } = useSession();
  const { data } = useBackups();
  const queries = useQueryClient();
  const isRunning = data?.[0]?.state === 'running';
  useEffect(() => {
    if (isRunning) return;
    for (const queryKey of [['health', 'state'], ['host']]) void queries.invalidateQueries({ queryKey });
  }, [isRunning, queries]);
  const start = useMutation({
    mutationFn: () => petstore.backups.create(),
    onError: sayError,
    onSuccess: () => say(common.backupStarted),
    onSettled: () => queries.invalidateQueries({ queryKey: BACKUPS }),
  });
  return (
    <Button
      icon={DatabaseBackup}
      className="small"
      onClick={() => start.mutate()}
      isBusy={start.isPending || isRunning}
    >
      {common.backUpNow}
    </Button>
  );
};
