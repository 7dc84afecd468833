import { createContext, use } from 'react';
import { type Key, Petstore, type Scope } from '../../client/src/index.ts';
import { noteStreamLost, noteStreamOpen } from '../data/live.ts';
import { noteResponse, noteRetry } from '../data/notices.ts';

export type Environment = 'production' | 'staging';

/** The signed-in key and its client. */
export type Session = {
  petstore: Petstore;
  me: Key;
  /** The key itself, for curl commands that users copy. */
  secret: string;
  can(scope: Scope): boolean;
  signOut(): void;
};

/** The service's root, one level above the console, including any path prefix of a proxy. */
export const ROOT_URL = new URL('..', location.href).href.replace(/\/$/, '');
export const API_URL = `${ROOT_URL}/v1`;

/** Prefix of all page paths. */
export const BASE_PATH = new URL('.', location.href).pathname.replace(/\/$/, '');

export const ENVIRONMENT = document.documentElement.dataset.environment as Environment;

/** Session storage is cleared with the tab, and other sites and tabs cannot read it. */
const PLACE = 'petstore-key';

export const keptKey = (): string | undefined => sessionStorage.getItem(PLACE) ?? undefined;
export const keepKey = (secret: string): void => sessionStorage.setItem(PLACE, secret);
export const forgetKey = (): void => sessionStorage.removeItem(PLACE);

/** The retries outlast a one-minute rate limit or an outage of minutes. Meanwhile, the page shows the reason. */
export const connect = (secret: string, retries = 20): Petstore =>
  new Petstore({
    key: secret,
    baseUrl: API_URL,
    retries,
    maxWaitMs: 300_000,
    onRetry: (note) => {
      noteRetry(note);
      noteStreamLost(note);
    },
    onResponse: (note) => {
      noteResponse(note);
      noteStreamOpen(note);
    },
  });

export const SessionContext = createContext<Session | undefined>(undefined);

export const useSession = (): Session => {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession needs a SessionContext');
  return session;
};
