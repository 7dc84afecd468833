import { useMutation, useQueryClient } from '@tanstack/react-query';
import { DatabaseBackup } from 'lucide-react';
import { useEffect } from 'react';
import { PetstoreError } from '../../client/src/index.ts';
import { messageOf } from '../data/error-message.ts';
import { BACKUPS, useBackups } from '../data/use-backups.ts';
import { createValue, useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { say, sayError } from '../kit/overlay/toasts.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';

/** The reason why the service makes no backups. It is known only after the first attempt. */
export const unsupported = createValue('');

export const BackUpNow = () => {
  const isUnsupported = useValue(unsupported) !== '';
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
    onError: (error) => {
      if (error instanceof PetstoreError && error.code === 'backup_not_supported') unsupported.set(messageOf(error));
      sayError(error);
    },
    onSuccess: () => say(common.backupStarted),
    onSettled: () => queries.invalidateQueries({ queryKey: BACKUPS }),
  });
  return (
    <Button
      icon={DatabaseBackup}
      className="small"
      disabled={isUnsupported}
      onClick={() => start.mutate()}
      isBusy={start.isPending || isRunning}
    >
      {common.backUpNow}
    </Button>
  );
};
