import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import { type AroundNavHandler, Router } from 'wouter';
import { type Key, Unauthorized } from '../client/src/index.ts';
import { forbiddenAt } from './data/notices.ts';
import { usePoll } from './data/poll.ts';
import { createValue, useValue } from './data/value.ts';
import { guardBack } from './kit/overlay/back.ts';
import { leave } from './kit/overlay/leave.ts';
import { Skeleton } from './kit/placeholder.tsx';
import { dropKeys, endKeys, heldKeys, holdKey, joinTabs, setCurrentKey } from './session/keyring.ts';
import { BASE_PATH, connect, type Session, SessionContext } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { keepPositions } from './shell/positions.ts';
import { Shell } from './shell/shell.tsx';

/**
 * React Query must not retry, because the petstore client already retries and reports each retry. React Query must also
 * not wait until the browser is online, because a service on the same machine can be reached without the internet.
 */
const createQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always', staleTime: 5000, refetchOnWindowFocus: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  });

type Known = { secret: string; me: Key };

/** Undefined while the console is checking the key, and null if there is no key. */
const known = createValue<Known | null | undefined>(undefined);

/** Reloads the page, so that all work stops and no data stays in the tab for the next user. */
const restart = (load: () => void): void => {
  // Removes the page's content first; otherwise, the browser would ask about unsaved changes.
  flushSync(() => known.set(undefined));
  load();
};

const reload = (): void => restart(() => location.reload());

const checkKey = async (secret: string): Promise<void> => {
  try {
    const me = await connect(secret).keys.me();
    holdKey(secret, me);
    known.set({ secret, me });
  } catch (error) {
    if (error instanceof Unauthorized) dropKeys([secret]);
    known.set(null);
  }
};

/** URL parameters that open a drawer or dialog. All other parameters are filters. */
const OPENERS = ['pet', 'order', 'category', 'key', 'webhook', 'event', 'do', 'place', 'start'];

const isSamePlace = (from: URL, to: URL): boolean =>
  from.pathname === to.pathname && OPENERS.every((name) => from.searchParams.get(name) === to.searchParams.get(name));

guardBack(isSamePlace);
keepPositions();

const guardWork: AroundNavHandler = (navigate, to, options) => {
  if (isSamePlace(new URL(location.href), new URL(to, location.href))) navigate(to, options);
  else leave(() => navigate(to, options));
};

const openSession = ({ secret, me }: Known): Session => {
  const end = (secrets: readonly string[]): void =>
    leave(() => {
      endKeys(secrets);
      reload();
    });
  return {
    petstore: connect(secret),
    me,
    secret,
    can: (scope) => me.scopes.includes(scope),
    switchTo: (other) =>
      leave(() => {
        setCurrentKey(other);
        restart(() => location.assign(`${BASE_PATH}/`));
      }),
    endKey: () => end([secret]),
    signOut: () => end([secret, ...heldKeys.get().map((held) => held.secret)]),
  };
};

const OWN_KEY_MS = 60_000;
/** A bulk change can cause thousands of refusals, so they trigger at most one read of the key per interval. */
const AFTER_REFUSAL_MS = 5000;

const permissionsOf = ({ name, plan, scopes }: Key): string => [name, plan, ...scopes].join();

/** The key's permissions may change while the console is open. Reading a key does not count against its limits. */
const useOwnKey = ({ secret, me }: Known): void => {
  const quietUntil = useRef(0);
  const read = useEffectEvent(async () => {
    const now = await connect(secret, 0)
      .keys.me()
      .catch(() => me);
    // The user may have signed out or switched to another key while this key was being read.
    if (known.get()?.secret === secret && permissionsOf(now) !== permissionsOf(me)) known.set({ secret, me: now });
  });
  const readAfterRefusal = useEffectEvent(() => {
    if (Date.now() < quietUntil.current) return;
    quietUntil.current = Date.now() + AFTER_REFUSAL_MS;
    void read();
  });
  usePoll(() => void read(), OWN_KEY_MS);
  useEffect(() => forbiddenAt.subscribe(() => readAfterRefusal()), []);
};

const SignedIn = ({ by }: { by: Known }) => {
  useOwnKey(by);
  const session = useMemo(() => openSession(by), [by]);
  const queries = useMemo(createQueries, []);
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={queries}>
        <Router base={BASE_PATH} aroundNav={guardWork}>
          <Shell />
        </Router>
      </QueryClientProvider>
    </SessionContext>
  );
};

export const App = () => {
  const by = useValue(known);
  const queries = useMemo(createQueries, []);
  useEffect(() => joinTabs({ onKey: checkKey, onNoKey: () => known.set(null), onEnd: reload }), []);
  if (by === undefined) return <Skeleton lines={8} />;
  if (by) return <SignedIn key={by.me.id} by={by} />;
  return (
    <QueryClientProvider client={queries}>
      <SignIn
        onSignIn={(secret, me) => {
          setCurrentKey(secret);
          known.set({ secret, me });
        }}
      />
    </QueryClientProvider>
  );
};
