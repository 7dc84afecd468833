import { TriangleAlert } from 'lucide-react';
import { notice, sending } from '../data/notices.ts';
import { useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { OnTop } from '../kit/overlay/dialog.tsx';
import { asked } from '../kit/overlay/leave.ts';
import { Countdown } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { texts } from '../texts.ts';

const Words = () => {
  const { endKey } = useSession();
  const [held, changes, isAsking] = [useValue(notice), useValue(sending), useValue(asked) !== undefined];
  if (!held) return null;
  if (held.kind === 'ended') {
    return (
      <p className="row">
        {texts.notice.ended} {/* The question about unsaved changes has its own buttons. */}
        {!isAsking && (
          <Button className="small" onClick={endKey}>
            {texts.notice.signInAgain}
          </Button>
        )}
      </p>
    );
  }
  const reason = held.kind === 'limited' ? held.message : texts.notice.unreachable;
  return (
    <>
      <p>{texts.notice.retrying(reason, <Countdown until={held.until} />)}</p>
      {changes.length > 0 && <p>{texts.notice.sending(changes.join(' '))}</p>}
    </>
  );
};

export const NoticeBar = () => {
  const isShown = useValue(notice) !== undefined;
  return (
    <OnTop>
      <div role="status" className={isShown ? 'notice' : ''}>
        {isShown && <TriangleAlert className="icon" />}
        <div>
          <Words />
        </div>
      </div>
    </OnTop>
  );
};
