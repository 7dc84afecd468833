import { useMutation } from '@tanstack/react-query';
import type { WebhookCreation } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { leaveNow } from '../kit/overlay/leave.ts';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { NewSecret } from './new-secret.tsx';
import { texts } from './texts.ts';
import { useWebhookChanged } from './webhook-cache.ts';
import { WebhookForm } from './webhook-form.tsx';

type Props = { onClose: () => void; onMade: (id: string) => void };

export const CreateWebhook = ({ onClose, onMade }: Props) => {
  const { petstore } = useSession();
  const showChange = useWebhookChanged();
  const create = useMutation({
    mutationFn: (body: WebhookCreation) => petstore.webhooks.create(body),
    onSuccess: showChange,
  });
  const made = create.data;
  if (made) {
    return (
      <Dialog title={texts.added} onClose={() => onMade(made.id)}>
        <div className="stack">
          <NewSecret made={made} />
          <div className="row end">
            <Button kind="primary" onClick={() => leaveNow(() => onMade(made.id))}>
              {common.saved}
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.add} onClose={onClose}>
      <WebhookForm
        events={['pet.created']}
        hint={texts.endpointHint}
        action={texts.add}
        isBusy={create.isPending}
        error={create.error}
        onEdit={create.reset}
        onSubmit={({ url, events }) => create.mutate({ url, events })}
        onClose={onClose}
      />
    </Dialog>
  );
};
