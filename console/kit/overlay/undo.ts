import type { QueryClient } from '@tanstack/react-query';
import { Petstore } from '../../../client/src/index.ts';
import { type CountChange, keepCounted } from '../../data/counts.ts';
import { isLost, notice, whileSending } from '../../data/notices.ts';
import { keepShown } from '../../data/when-read.ts';
import { API_URL, type Session } from '../../session/session.ts';
import { texts } from '../../texts.ts';
import { say, sayUndone } from './toasts.tsx';

type Undoable = {
  /** Identifies the step, so that repeating it removes the message about its cancellation. */
  step: string;
  /** The result that the page already shows, such as "Order 12 delivered". */
  text: string;
  /** The message if the service did not make the change, such as "Order 12 was not delivered." */
  undone: string;
  /** Writes the result to the cache. Runs again after each cache update, until the request is answered or cancelled. */
  show: () => void;
  counted?: CountChange;
  send: (petstore: Petstore) => Promise<unknown>;
  /** Shows the previous state again after "Undo" or a failed request. */
  revert: () => void;
  onSettled?: () => void;
};

/** With `keepalive`, the request can finish after the page is closed. */
const connectLast = (secret: string): Petstore =>
  new Petstore({
    key: secret,
    baseUrl: API_URL,
    retries: 0,
    fetch: (url, init) => fetch(url, { ...init, keepalive: true }),
  });

/** For each cancelled step, the function that removes its message, which is obsolete once the step is repeated. */
const removeUndone = new Map<string, () => void>();

const whenLost = (act: () => void): (() => void) =>
  notice.subscribe(() => {
    if (isLost()) act();
  });

/**
 * Waits until the toast's time is over before sending the request, so that the user can undo the action. If the user
 * closes the tab, the request is sent immediately.
 */
export const withUndo = ({ petstore, secret }: Session, queries: QueryClient, undoable: Undoable): void => {
  const { step, text, undone, show, counted = {}, send, revert, onSettled } = undoable;
  removeUndone.get(step)?.();
  const stopShowing = keepShown(queries, show);
  const count = keepCounted(queries, counted);
  const hide = () => {
    stopShowing();
    count.stop();
    count.revert();
    revert();
  };
  /** Shows what this page knew before. Someone else may have changed it since, so this reloads everything on the page. */
  const hideAndReload = () => {
    hide();
    void queries.invalidateQueries();
  };
  const end = () => {
    removeToast();
    stopWatching();
    removeEventListener('pagehide', sendLast);
  };
  const sendLast = () => {
    end();
    send(connectLast(secret)).catch(() => undefined);
  };
  const sendNow = async () => {
    end();
    let wasLost = false;
    // If the connection is lost, the client repeats the request until the service answers. Until then, the page still
    // shows the new state, and the notice bar says that the change is not confirmed.
    const stop = whenLost(() => {
      wasLost = true;
    });
    try {
      await whileSending(text, send(petstore));
      stopShowing();
      count.stop();
      if (wasLost) say(text);
    } catch (error) {
      hideAndReload();
      sayUndone(undone, error as Error);
    }
    stop();
    onSettled?.();
  };
  // If the connection is lost before the request is sent, the action is cancelled, and the user can repeat it later.
  const stopWatching = whenLost(() => {
    end();
    hide();
    removeUndone.set(step, say(`${undone} ${texts.notice.wasUnreachable}`, { isError: true }));
  });
  addEventListener('pagehide', sendLast);
  const removeToast = say(text, {
    isUndoable: true,
    onEnd: () => void sendNow(),
    action: {
      label: texts.kit.undo,
      run: () => {
        end();
        hideAndReload();
        say(texts.kit.undone);
      },
    },
  });
};
