import { useQueryClient } from '@tanstack/react-query';
import {
  CircleQuestionMark,
  FileUp,
  KeyRound,
  LogOut,
  type LucideIcon,
  Plus,
  Search,
  ShoppingBag,
  Store as StoreIcon,
  Tag,
} from 'lucide-react';
import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import type { Scope } from '../../client/src/index.ts';
import { pollChanges } from '../data/freshness.ts';
import { followEvents } from '../data/live.ts';
import { lazyPart } from '../data/load.ts';
import { useValue } from '../data/value.ts';
import { DRAWER_PLACE } from '../kit/overlay/drawer.tsx';
import { Toasts } from '../kit/overlay/toasts.tsx';
import { PageHead } from '../kit/page-head.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { type ConsolePage, PAGES } from '../pages.ts';
import { heldKeys } from '../session/keyring.ts';
import { ENVIRONMENT, useSession } from '../session/session.ts';
import { common, texts } from '../texts.ts';
import { listenForKeys, useCommands } from './commands.ts';
import { Header } from './header.tsx';
import { LeaveQuestion } from './leave-question.tsx';
import { Navigation, TabBar } from './navigation.tsx';
import { NoticeBar } from './notice-bar.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { Palette } from './palette.tsx';
import { restorePositions } from './positions.ts';
import { Shortcuts } from './shortcuts.tsx';
import { ResetStore, StagingRibbon } from './staging.tsx';
import { OpenStore } from './stores.tsx';

/** Actions that are available on every page, without shortcuts. A page that offers the same action adds a shortcut. */
const ACTIONS: readonly { label: string; icon: LucideIcon; to: string; scopes: readonly Scope[] }[] = [
  { label: texts.commands.addPet, icon: Plus, to: '/pets?do=add', scopes: ['pets:read', 'pets:write'] },
  {
    label: common.newOrder,
    icon: ShoppingBag,
    to: '/orders?place=',
    scopes: ['orders:read', 'orders:write', 'pets:read'],
  },
  { label: texts.commands.importPets, icon: FileUp, to: '/pets?do=import', scopes: ['pets:read', 'pets:write'] },
  { label: texts.commands.sellPet, icon: Tag, to: '/pets?status=available', scopes: ['pets:read', 'pets:write'] },
  { label: texts.commands.createKey, icon: KeyRound, to: '/keys?do=create', scopes: ['keys:write'] },
];

const NoPage = lazyPart(async () => (await import('./no-page.tsx')).NoPage);

type Opened = 'palette' | 'shortcuts' | 'store' | 'reset';

const useShellCommands = (pages: readonly ConsolePage[], open: (what: Opened) => void): void => {
  const { can, secret, switchTo, signOut } = useSession();
  const held = useValue(heldKeys);
  const [, go] = useLocation();
  useCommands([
    ...ACTIONS.filter(({ scopes }) => scopes.every(can)).map(({ label, icon, to }) => ({
      label,
      icon,
      run: () => go(to),
    })),
    { label: texts.commands.search, keys: 'mod k', icon: Search, run: () => open('palette') },
    { label: texts.commands.shortcuts, keys: '?', icon: CircleQuestionMark, run: () => open('shortcuts') },
    ...pages.map(({ path: to, title, keys, icon }) => ({
      label: texts.commands.goTo(title),
      words: texts.commands.words[title] ?? '',
      keys,
      icon,
      group: texts.shell.pages,
      to,
      run: () => go(to),
    })),
    ...held
      .filter((one) => one.secret !== secret)
      .map((one) => ({
        label: texts.stores.switchTo(one.storeId, one.name),
        icon: StoreIcon,
        run: () => switchTo(one.secret),
      })),
    { label: texts.shell.signOut, icon: LogOut, run: signOut },
  ]);
};

export const Shell = () => {
  const session = useSession();
  const { petstore, can } = session;
  const queries = useQueryClient();
  const [path] = useLocation();
  const [open, setOpen] = useState<Opened>();
  const pages = PAGES.filter(({ scope }) => scope === undefined || can(scope));
  const title = pages.find((page) => page.path === path)?.title;
  useShellCommands(pages, setOpen);
  useLayoutEffect(listenForKeys, []);
  useEffect(() => (can('events:read') ? followEvents(petstore) : undefined), [petstore, can]);
  useEffect(() => pollChanges(session, queries), [session, queries]);
  useEffect(() => {
    document.title = `${title ?? texts.shell.console} · ${texts.shell.product}`;
  }, [title]);
  // The page scrolls inside `main`, which keeps its position when its content changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new path changes the scroll position.
  useLayoutEffect(restorePositions, [path]);
  const close = () => setOpen(undefined);
  const showShortcuts = () => setOpen('shortcuts');
  const openStore = () => setOpen('store');
  return (
    <div className="app">
      <a className="skip" href="#page">
        {texts.shell.skip}
      </a>
      {ENVIRONMENT === 'staging' && <StagingRibbon onReset={() => setOpen('reset')} />}
      <Navigation pages={pages} onShortcuts={showShortcuts} onOpenStore={openStore} />
      <Header onSearch={() => setOpen('palette')} onShortcuts={showShortcuts} onOpenStore={openStore} />
      <NoticeBar />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard. */}
      <main id="page" tabIndex={0}>
        <PageBoundary key={path}>
          <Suspense
            fallback={
              <>
                {title && <PageHead title={title} />}
                <Skeleton lines={8} />
              </>
            }
          >
            <Switch>
              {pages.map(({ path: at, Page }) => (
                <Route key={at} path={at} component={Page} />
              ))}
              <Route>
                <NoPage page={PAGES.find((page) => page.path === path)} />
              </Route>
            </Switch>
          </Suspense>
        </PageBoundary>
      </main>
      <div id={DRAWER_PLACE} />
      <TabBar pages={pages} />
      <Toasts />
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'shortcuts' && <Shortcuts onClose={close} />}
      {open === 'store' && <OpenStore onClose={close} />}
      {open === 'reset' && <ResetStore onClose={close} />}
      <LeaveQuestion />
    </div>
  );
};
