import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Key } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { Callout } from '../kit/callout.tsx';
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
    <Callout
      tone="bad"
      title={texts.ban.title(<Countdown until={of.bannedUntil} />)}
      action={
        <Button onClick={() => lift.mutate()} isBusy={lift.isPending}>
          {texts.ban.lift}
        </Button>
      }
    >
      {texts.ban.reason}
    </Callout>
  );
};
