import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { followEvents } from '../data/live.ts';
import { Skeleton } from '../kit/placeholder.tsx';
import { Toasts } from '../kit/toasts.tsx';
import { PAGES } from '../pages.ts';
import { ENVIRONMENT, ROOT_URL, useSession } from '../session/session.ts';
import { texts } from '../texts.ts';
import { listenForKeys, useCommands } from './commands.ts';
import { Header } from './header.tsx';
import { NoticeBar } from './notice-bar.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { Palette } from './palette.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { StagingRibbon } from './staging-ribbon.tsx';

const Navigation = ({ pages }: { pages: typeof PAGES }) => {
  const [path] = useLocation();
  return (
    <nav className="pages" aria-label={texts.shell.pages}>
      {pages.map(({ path: to, title }) => (
        <Link key={to} href={to} aria-current={to === path ? 'page' : undefined}>
          {title}
        </Link>
      ))}
      <a href={`${ROOT_URL}/docs`}>{texts.shell.docs}</a>
    </nav>
  );
};

export const Shell = () => {
  const { petstore, can, signOut } = useSession();
  const [path, go] = useLocation();
  const [open, setOpen] = useState<'palette' | 'shortcuts'>();
  const pages = PAGES.filter(({ scope }) => scope === undefined || can(scope));
  useCommands([
    { label: texts.commands.search, keys: 'mod k', run: () => setOpen('palette') },
    { label: texts.commands.shortcuts, keys: '?', run: () => setOpen('shortcuts') },
    ...pages.map(({ path: to, title, keys }) => ({ label: texts.commands.goTo(title), keys, run: () => go(to) })),
    { label: texts.shell.signOut, run: signOut },
  ]);
  useLayoutEffect(listenForKeys, []);
  useEffect(() => (can('events:read') ? followEvents(petstore) : undefined), [petstore, can]);
  useEffect(() => {
    document.title = `${pages.find((page) => page.path === path)?.title ?? texts.shell.console} · ${texts.shell.product}`;
  }, [path, pages]);
  const close = () => setOpen(undefined);
  return (
    <>
      <a className="skip" href="#page">
        {texts.shell.skip}
      </a>
      {ENVIRONMENT === 'staging' && <StagingRibbon />}
      <Header onSearch={() => setOpen('palette')} />
      <NoticeBar />
      <div className="body">
        <Navigation pages={pages} />
        <main id="page" tabIndex={-1}>
          <PageBoundary key={path}>
            <Suspense fallback={<Skeleton lines={8} />}>
              <Switch>
                {pages.map(({ path: at, Page }) => (
                  <Route key={at} path={at} component={Page} />
                ))}
                <Route>
                  <h1>{texts.shell.notFound}</h1>
                  <p>{texts.shell.notFoundHint}</p>
                </Route>
              </Switch>
            </Suspense>
          </PageBoundary>
        </main>
      </div>
      <Toasts />
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'shortcuts' && <Shortcuts onClose={close} />}
    </>
  );
};
