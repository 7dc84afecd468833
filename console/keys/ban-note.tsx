import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Key } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { say, sayError } from '../kit/overlay/toasts.tsx';
import { isolated } from '../kit/text.ts';
import { Countdown } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { texts } from './texts.ts';

export const BanNote = ({ of }: { of: Key }) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const lift = useMutation({
    mutationFn: () => petstore.keys.unban(of.id),
    onError: sayError,
    onSuccess: async () => {
      say(texts.ban.lifted(isolated(of.name)));
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  if (of.bannedUntil === null) return null;
  return (
    <div className="card row" role="status">
      <p>{texts.ban.note(<Countdown until={of.bannedUntil} />)}</p>
      <Button onClick={() => lift.mutate()} isBusy={lift.isPending}>
        {texts.ban.lift}
      </Button>
    </div>
  );
};
