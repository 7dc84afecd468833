import { ArrowUpRight, BookOpen, CircleQuestionMark, Ellipsis, PawPrint } from 'lucide-react';
import type { ComponentType } from 'react';
import { Link, useLocation } from 'wouter';
import { COUNTS } from '../data/counts.ts';
import { useRefresh } from '../data/refresh.ts';
import { useCounts } from '../data/use-counts.ts';
import { Menu } from '../kit/overlay/menu.tsx';
import { showCount } from '../kit/text.ts';
import { MOST, useOpenOrders, useOpenOrdersRefresh } from '../overview/watched.ts';
import type { ConsolePage } from '../pages.ts';
import { ROOT_URL } from '../session/session.ts';
import { texts, titles } from '../texts.ts';
import { CurrentStore } from './stores.tsx';

const GROUPS = ['shop', 'connections'] as const;

/** The bottom bar has room for five touch targets of at least 44 px. */
const MAX_TABS = 5;

export const Brand = () => (
  <a className="brand" href={`${ROOT_URL}/`}>
    <span className="mark">
      <PawPrint className="icon" />
    </span>
    {texts.shell.product}
  </a>
);

const PageLink = ({ page: { path, title, icon: Icon } }: { page: ConsolePage }) => {
  const [here] = useLocation();
  return (
    <Link href={path} aria-current={path === here ? 'page' : undefined}>
      <Icon className="icon" />
      {title}
    </Link>
  );
};

const COUNTED = ['pet.created', 'pet.status_changed', 'pet.deleted'] as const;

const PetCount = () => {
  const { data } = useCounts();
  return data ? (
    <span className="count" aria-hidden="true">
      {showCount(data.available + data.pending + data.sold)}
    </span>
  ) : null;
};

const OpenOrderCount = () => {
  const [placed, approved] = [useOpenOrders('placed').data, useOpenOrders('approved').data];
  const count = (placed?.length ?? 0) + (approved?.length ?? 0);
  return count > 0 ? (
    <span className="count todo" aria-hidden="true">
      {showCount(count)}
      {Math.max(placed?.length ?? 0, approved?.length ?? 0) >= MOST && '+'}
    </span>
  ) : null;
};

const PAGE_COUNTS: Record<string, ComponentType> = { [titles.pets]: PetCount, [titles.orders]: OpenOrderCount };

const CountedLink = ({ page: { path, title, icon: Icon } }: { page: ConsolePage }) => {
  const [here] = useLocation();
  const Count = PAGE_COUNTS[title];
  return (
    <Link href={path} aria-current={path === here ? 'page' : undefined}>
      <Icon className="icon" />
      {title}
      {Count && <Count />}
    </Link>
  );
};

type Props = { pages: readonly ConsolePage[]; onShortcuts: () => void; onOpenStore: () => void };

const Sidebar = ({ pages, onShortcuts, onOpenStore }: Props) => (
  <nav className="nav" aria-label={texts.shell.pages}>
    <Brand />
    <CurrentStore onOpenStore={onOpenStore} />
    {GROUPS.map((group) => (
      <div key={group}>
        <h2 id={`nav-${group}`}>{texts.shell.groups[group]}</h2>
        <ul aria-labelledby={`nav-${group}`}>
          {pages
            .filter((page) => page.group === group)
            .map((page) => (
              <li key={page.path}>
                <CountedLink page={page} />
              </li>
            ))}
        </ul>
      </div>
    ))}
    <ul className="end">
      <li>
        <a href={`${ROOT_URL}/docs`}>
          <BookOpen className="icon" />
          {texts.shell.docs}
          <ArrowUpRight className="icon s" />
        </a>
      </li>
      <li>
        <button type="button" onClick={onShortcuts}>
          <CircleQuestionMark className="icon" />
          {texts.shell.shortcuts}
          <kbd>?</kbd>
        </button>
      </li>
    </ul>
  </nav>
);

/** The navigation is on every page, so the counts are refreshed here, and not by each page. */
export const Navigation = (props: Props) => {
  useRefresh(COUNTED, COUNTS);
  useOpenOrdersRefresh();
  return <Sidebar {...props} />;
};

export const TabBar = ({ pages }: { pages: readonly ConsolePage[] }) => {
  const [here] = useLocation();
  const shown = pages.length > MAX_TABS ? pages.slice(0, MAX_TABS - 1) : pages;
  const others = pages.slice(shown.length);
  return (
    <nav className="tabbar" aria-label={texts.shell.pages}>
      {shown.map((page) => (
        <CountedLink key={page.path} page={page} />
      ))}
      {others.length > 0 && (
        <Menu
          isUp
          className={others.some(({ path }) => path === here) ? 'current' : ''}
          label={
            <>
              <Ellipsis className="icon" />
              {texts.shell.more}
            </>
          }
        >
          {others.map((page) => (
            <PageLink key={page.path} page={page} />
          ))}
        </Menu>
      )}
    </nav>
  );
};
