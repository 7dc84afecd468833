import { notice } from '../data/notices.ts';
import { useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { OnTop } from '../kit/dialog.tsx';
import { Countdown } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';

const Words = () => {
  const { signOut } = useSession();
  const held = useValue(notice);
  if (!held) return null;
  if (held.kind === 'ended') {
    return (
      <p className="row">
        The service no longer takes this key: it was revoked, has expired, or was given another secret.{' '}
        <Button className="small" onClick={signOut}>
          Sign in with another
        </Button>
      </p>
    );
  }
  return (
    <p>
      {held.kind === 'limited' ? held.message : 'The service cannot be reached.'} Goes on by itself in{' '}
      <Countdown until={held.until} />.
    </p>
  );
};

/** Why requests are waiting, and when they resume. */
export const NoticeBar = () => (
  <OnTop>
    <div role="status" className={useValue(notice) ? 'notice' : ''}>
      <Words />
    </div>
  </OnTop>
);
