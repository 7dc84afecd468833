import type { Key } from '../../client/src/index.ts';
import { leaveNow } from '../kit/overlay/leave.ts';
import { say } from '../kit/overlay/toasts.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { KeyForm, readKeyFields } from './key-fields.tsx';
import { texts } from './texts.ts';

export const ChangeKey = ({ of, onClose }: { of: Key; onClose: () => void }) => {
  const { petstore } = useSession();
  const onSent = () => {
    say(texts.saved);
    leaveNow(onClose);
  };
  return (
    <KeyForm
      of={of}
      action={common.save}
      kind="tint"
      send={(form) => petstore.keys.update(of.id, readKeyFields(form))}
      onSent={onSent}
      onClose={onClose}
    />
  );
};
