import { useValue } from '../data/value.ts';
import { Confirm } from '../kit/overlay/confirm.tsx';
import { asked, leaveNow } from '../kit/overlay/leave.ts';
import { texts } from '../texts.ts';

export const LeaveQuestion = () => {
  const asking = useValue(asked);
  if (!asking) return null;
  const end = () => asked.set(undefined);
  return (
    <Confirm
      title={asking.question}
      action={texts.kit.leave}
      keep={asking.question === texts.kit.secretShown ? texts.kit.keepOpen : texts.kit.stay}
      isBusy={false}
      error={null}
      onConfirm={() => {
        end();
        leaveNow(asking.go);
      }}
      onClose={end}
    >
      {texts.kit.leaveConsequence}
    </Confirm>
  );
};
