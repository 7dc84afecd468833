import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type AroundNavHandler, Router } from 'wouter';
import { type Key, Unauthorized } from '../client/src/index.ts';
import { leave } from './kit/overlay/leave.ts';
import { Skeleton } from './kit/placeholder.tsx';
import { BASE_PATH, connect, forgetKey, keptKey, type Session, SessionContext } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { Shell } from './shell/shell.tsx';

/** React Query must not retry, because the petstore client already retries and shows each retry. */
const createQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 5000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });

type Known = { secret: string; me: Key };

const useSignedIn = () => {
  const [known, setKnown] = useState<Known | null | undefined>(() => (keptKey() === undefined ? null : undefined));
  useEffect(() => {
    const secret = keptKey();
    if (secret === undefined) return;
    connect(secret)
      .keys.me()
      .then(
        (me) => setKnown({ secret, me }),
        (error) => {
          if (error instanceof Unauthorized) forgetKey();
          setKnown(null);
        },
      );
  }, []);
  return [known, setKnown] as const;
};

/**
 * URL parameters that open a drawer or dialog. All other parameters are filters, and changing a filter closes nothing.
 */
const OPENERS = ['pet', 'order', 'category', 'key', 'webhook', 'event', 'do', 'place', 'start'];

const guardWork: AroundNavHandler = (navigate, to, options) => {
  const next = new URL(to, location.href);
  const now = new URLSearchParams(location.search);
  const isSame =
    next.pathname === location.pathname && OPENERS.every((name) => now.get(name) === next.searchParams.get(name));
  if (isSame) navigate(to, options);
  else leave(() => navigate(to, options));
};

const SignedIn = ({ known: { secret, me } }: { known: Known }) => {
  const session = useMemo(
    (): Session => ({
      petstore: connect(secret),
      me,
      secret,
      can: (scope) => me.scopes.includes(scope),
      signOut: () => {
        forgetKey();
        // Reloading the page stops all running work and leaves no data in the tab for the next user.
        location.reload();
      },
    }),
    [secret, me],
  );
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
  const [known, setKnown] = useSignedIn();
  const queries = useMemo(createQueries, []);
  if (known === undefined) return <Skeleton lines={8} />;
  if (known) return <SignedIn key={known.me.id} known={known} />;
  return (
    <QueryClientProvider client={queries}>
      <SignIn onSignIn={(secret, me) => setKnown({ secret, me })} />
    </QueryClientProvider>
  );
};
