import { useQueryClient } from '@tanstack/react-query';
import type { Category } from '../../client/src/index.ts';
import { ApiCall } from '../kit/api-call.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { leaveNow } from '../kit/overlay/leave.ts';
import { say } from '../kit/overlay/toasts.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { CATEGORIES } from './categories.tsx';
import { NameForm } from './name-form.tsx';
import { texts } from './texts.ts';

type Props = { known: readonly Category[]; onClose: () => void };

export const AddCategory = ({ known, onClose }: Props) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const sent = (name: string) => {
    void queries.invalidateQueries({ queryKey: CATEGORIES });
    say(texts.added(name));
    leaveNow(onClose);
  };
  return (
    <Dialog title={texts.add} onClose={onClose}>
      <NameForm
        first=""
        taken={known}
        action={common.add}
        send={(name) => petstore.categories.create({ name })}
        onSent={sent}
      >
        <ApiCall
          method="POST"
          path="/categories"
          body={{ name: 'Hedgehogs' }}
          code={`const category = await petstore.categories.create({ name: 'Hedgehogs' });`}
        />
      </NameForm>
    </Dialog>
  );
};
