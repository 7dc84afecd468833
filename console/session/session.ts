import { createContext, use } from 'react';
import { type Key, Petstore, type Scope } from '../../client/src/index.ts';
import { noteStreamLost, noteStreamOpen } from '../data/live.ts';
import { noteResponse, noteRetry } from '../data/notices.ts';

export type Environment = 'production' | 'staging';

export type Session = {
  petstore: Petstore;
  me: Key;
  secret: string;
  can(scope: Scope): boolean;
  switchTo(secret: string): void;
  /** Forgets this key in all tabs. */
  endKey(): void;
  /** Forgets all keys in all tabs. */
  signOut(): void;
};

/** The service's root is one level above the console. The URL includes any path prefix that a proxy adds. */
export const ROOT_URL = new URL('..', location.href).href.replace(/\/$/, '');
export const API_URL = `${ROOT_URL}/v1`;

export const BASE_PATH = new URL('.', location.href).pathname.replace(/\/$/, '');

export const ENVIRONMENT = document.documentElement.dataset.environment as Environment;

/**
 * 20 retries outlast a one-minute rate limit or a short outage. During the retries, the page shows why it is waiting.
 */
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
