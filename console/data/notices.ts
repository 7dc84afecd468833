import { RateLimited, type RateLimits, type ResponseNote, type RetryNote } from '../../client/src/index.ts';
import { messageOf } from './error-message.ts';
import { createValue, useValue } from './value.ts';

type Notice =
  | { kind: 'limited'; until: number; message: string }
  | { kind: 'lost'; until: number; since: number }
  | { kind: 'ended' };

export const notice = createValue<Notice | undefined>(undefined);

export const limits = createValue<RateLimits | undefined>(undefined);

const lostSince = (): number | undefined => {
  const held = notice.get();
  return held?.kind === 'lost' ? held.since : undefined;
};

export const isLost = (): boolean => lostSince() !== undefined;

export const useIsLost = (): boolean => useValue(notice)?.kind === 'lost';

/** The time of the last 403 response. The key's permissions may have changed since the console read them. */
export const forbiddenAt = createValue(0);

/** Descriptions of the changes being sent. The service may have made a change even if it has not answered yet. */
export const sending = createValue<readonly string[]>([]);

export const whileSending = <Result>(text: string, sent: Promise<Result>): Promise<Result> => {
  sending.set([...sending.get(), text]);
  return sent.finally(() => sending.set(sending.get().toSpliced(sending.get().indexOf(text), 1)));
};

/** When the page is reloaded, the browser aborts its requests. That is not a lost connection. */
let isLeaving = false;
for (const type of ['pagehide', 'pageshow']) {
  addEventListener(type, () => {
    isLeaving = type === 'pagehide';
  });
}

export const noteLost = (waitMs: number): void => {
  if (isLeaving) return;
  notice.set({ kind: 'lost', until: Date.now() + waitMs, since: lostSince() ?? Date.now() });
};

export const noteRetry = ({ reason, waitMs }: RetryNote): void => {
  if (reason instanceof RateLimited) {
    notice.set({ kind: 'limited', until: Date.now() + waitMs, message: messageOf(reason) });
  } else noteLost(waitMs);
};

/** Does not change the notice after a 429 or 5xx response, because `noteRetry` reports these responses. */
export const noteResponse = ({ status, path, limits: seen }: ResponseNote): void => {
  // These paths have a separate rate limit, so their responses say nothing about the limits of other requests.
  const isSeparate = ['/usage', '/usage/requests', '/keys/me'].includes(path);
  if (seen && !isSeparate) limits.set(seen);
  if (status === 403) forbiddenAt.set(Date.now());
  if (status === 401) {
    notice.set({ kind: 'ended' });
    limits.set(undefined);
  } else if (status !== 429 && status < 500 && !(isSeparate && notice.get()?.kind === 'limited')) notice.set(undefined);
};
