import { liveState } from '../data/live.ts';
import { limits } from '../data/notices.ts';
import { useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { Paw } from '../kit/paw.tsx';
import { ENVIRONMENT, ROOT_URL, useSession } from '../session/session.ts';
import { ThemeButton } from './theme-button.tsx';

/** The rate limit window with the fewest requests left, as a small bar. */
const Standing = () => {
  const { me } = useSession();
  const seen = useValue(limits);
  if (!seen) return null;
  const used = seen.limit - seen.remaining;
  const words = `${used.toLocaleString('en')} of ${seen.limit.toLocaleString('en')} requests used`;
  return (
    <span className="standing wide" title={words}>
      {me.plan} <meter min={0} max={seen.limit} value={used} aria-label={words} />
    </span>
  );
};

export const Header = ({ onSearch }: { onSearch: () => void }) => {
  const { me, signOut } = useSession();
  const state = useValue(liveState);
  return (
    <header className="bar">
      <a className="brand" href={`${ROOT_URL}/`}>
        <Paw /> Pet Store
      </a>
      <span className="soft wide">
        store {String(me.storeId)} · {ENVIRONMENT}
        {state === 'live' && ' · live'}
      </span>
      <Button className="search" onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
        <span aria-hidden="true">⌕ </span>
        <span className="narrow-hidden">Search or do</span> <kbd className="wide">Ctrl K</kbd>
      </Button>
      <span className="wide name">{me.name}</span>
      <Standing />
      <ThemeButton />
      <Button onClick={signOut} aria-label="Sign out" title="Sign out">
        <span className="wide">Sign out</span>
        <span className="narrow" aria-hidden="true">
          ⏏
        </span>
      </Button>
    </header>
  );
};
