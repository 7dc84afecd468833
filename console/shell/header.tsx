import { CircleQuestionMark, Gauge, LogOut, Search } from 'lucide-react';
import { Link } from 'wouter';
import { limits, useIsLost } from '../data/notices.ts';
import { useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { Menu } from '../kit/overlay/menu.tsx';
import { isolated, showCount } from '../kit/text.ts';
import { useSession } from '../session/session.ts';
import { texts } from '../texts.ts';
import { Brand } from './navigation.tsx';
import { StoreChoices } from './stores.tsx';
import { ThemeChoice } from './theme.tsx';

/** The header does not show limits that are this high, such as the admin key's, because nobody needs to watch them. */
const HIGH_LIMIT = 1_000_000;

const Standing = () => {
  const seen = useValue(limits);
  const isLost = useIsLost();
  if (!seen || isLost || seen.limit >= HIGH_LIMIT) return <span className="standing" />;
  const words = texts.shell.left(<b>{showCount(seen.remaining)}</b>, seen.limit);
  return (
    <Link className="standing wide" href="/keys">
      <Gauge className="icon" />
      <span className="words">{words}</span>
      <meter min={0} max={seen.limit} value={seen.remaining} aria-label={texts.shell.remaining} />
    </Link>
  );
};

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();

type AccountProps = { onShortcuts: () => void; onOpenStore: () => void };

const Account = ({ onShortcuts, onOpenStore }: AccountProps) => {
  const { me, signOut } = useSession();
  const name = isolated(me.name);
  return (
    <div className="account">
      <Menu
        keepsOpen
        className="button quiet"
        label={
          <>
            <span className="unseen">{texts.shell.account(name)}</span>
            <span className="avatar" aria-hidden="true">
              {initials(me.name)}
            </span>
            <span className="wide cut" aria-hidden="true">
              {name}
            </span>
          </>
        }
      >
        <p className="head">{texts.shell.signedIn(name, me.plan)}</p>
        <div className="narrow">
          <StoreChoices onOpenStore={onOpenStore} />
          <hr />
        </div>
        <ThemeChoice />
        <hr />
        <Button kind="quiet" icon={CircleQuestionMark} onClick={onShortcuts}>
          {texts.shell.shortcuts}
        </Button>
        <Button kind="quiet" icon={LogOut} onClick={signOut}>
          {texts.shell.signOut}
        </Button>
      </Menu>
    </div>
  );
};

export const Header = ({ onSearch, ...account }: AccountProps & { onSearch: () => void }) => (
  <header className="top">
    <span className="narrow grow">
      <Brand />
    </span>
    <Button className="search wide" icon={Search} onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
      {texts.shell.searchHint} <kbd>Ctrl K</kbd>
    </Button>
    <Button className="narrow" kind="quiet" icon={Search} onClick={onSearch} aria-label={texts.shell.search} />
    <Standing />
    <Account {...account} />
  </header>
);
