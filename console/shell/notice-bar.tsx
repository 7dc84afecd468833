import { notice } from '../data/notices.ts';
import { useValue } from '../data/value.ts';
import { Countdown } from '../kit/time.tsx';

/** Why nothing comes right now, and when it goes on by itself. */
export const NoticeBar = () => {
  const held = useValue(notice);
  return (
    <div role="status" className={held ? 'notice' : ''}>
      {held && (
        <p>
          {held.kind === 'limited' ? held.message : 'The service cannot be reached.'} Goes on by itself in{' '}
          <Countdown until={held.until} />.
        </p>
      )}
    </div>
  );
};
