import { liveState } from '../data/live.ts';
import { limits } from '../data/notices.ts';
import { useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { Paw } from '../kit/paw.tsx';
import { ENVIRONMENT, ROOT_URL, useSession } from '../session/session.ts';
import { common, texts } from '../texts.ts';
import { ThemeButton } from './theme-button.tsx';

const Standing = () => {
  const { me } = useSession();
  const seen = useValue(limits);
  if (!seen) return null;
  const used = seen.limit - seen.remaining;
  const words = texts.shell.used(used, seen.limit);
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
        <Paw /> {texts.shell.product}
      </a>
      <span className="soft wide">
        {common.store(me.storeId)} · {ENVIRONMENT}
        {state === 'live' && ` · ${texts.shell.live}`}
      </span>
      <Button className="search" onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
        <span aria-hidden="true">⌕ </span>
        <span className="narrow-hidden">{texts.shell.search}</span> <kbd className="wide">Ctrl K</kbd>
      </Button>
      <span className="wide name">{me.name}</span>
      <Standing />
      <ThemeButton />
      <Button onClick={signOut} aria-label={texts.shell.signOut} title={texts.shell.signOut}>
        <span className="wide">{texts.shell.signOut}</span>
        <span className="narrow" aria-hidden="true">
          ⏏
        </span>
      </Button>
    </header>
  );
};
