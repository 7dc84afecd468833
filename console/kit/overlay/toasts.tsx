import { Check, CircleAlert, Undo2, X } from 'lucide-react';
import { PetstoreError } from '../../../client/src/index.ts';
import { isUnanswered, messageOf } from '../../data/error-message.ts';
import { isLost, notice } from '../../data/notices.ts';
import { createValue, useValue } from '../../data/value.ts';
import { useCommands } from '../../shell/commands.ts';
import { common, texts } from '../../texts.ts';
import { Button } from '../button.tsx';
import { CopyButton } from '../code.tsx';
import { OnTop } from './dialog.tsx';

type Toast = {
  id: number;
  text: string;
  isError?: boolean;
  isUndoable?: boolean;
  requestId?: string | undefined;
  action?: { label: string; run: () => void };
};

const toasts = createValue<readonly Toast[]>([]);
const SHOWN_MS = 6000;
let last = 0;

const remove = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

/** Returns a function that removes the toast. */
export const say = (text: string, options: Omit<Toast, 'id' | 'text'> = {}): (() => void) => {
  last += 1;
  const id = last;
  toasts.set([...toasts.get(), { id, text, ...options }]);
  if (!options.isError) setTimeout(() => remove(id), SHOWN_MS);
  return () => remove(id);
};

const sayFailure = (error: Error, isRead: boolean, undone = ''): void => {
  const requestId = error instanceof PetstoreError ? error.requestId : undefined;
  say(`${undone} ${messageOf(error, isRead)}`.trim(), { isError: true, requestId });
};

export const sayError = (error: Error): void => sayFailure(error, false);

/** After such an error, the service may have made the change. */
const isDoubtful = (error: Error): boolean =>
  isUnanswered(error) || (error instanceof PetstoreError && (error.status ?? 0) >= 500);

/** `undone` says what did not happen. It is left out if the service may have made the change. */
export const sayUndone = (undone: string, error: Error): void =>
  sayFailure(error, false, isDoubtful(error) ? '' : undone);

export const sayReadError = (error: Error): void => sayFailure(error, true);

let removeLost = (): void => undefined;
notice.subscribe(() => {
  if (!isLost()) removeLost();
});

const sayLost = (): void => {
  removeLost();
  removeLost = say(texts.notice.tryLater, { isError: true });
};

/** Runs `act` only while connected, so that the page shows no change that cannot be sent. Returns true if `act` ran. */
export const ifConnected = (act: () => void): boolean => {
  if (isLost()) {
    sayLost();
    return false;
  }
  act();
  return true;
};

export const UNDO_MS = SHOWN_MS;

const Said = ({ toast: { id, text, isError, isUndoable, requestId, action } }: { toast: Toast }) => {
  const act = () => {
    remove(id);
    action?.run();
  };
  // Keyboard users may not reach the button before the toast disappears, so the action also has a shortcut.
  useCommands(action ? [{ label: `${action.label}: ${text}`, keys: 'u', run: act }] : []);
  return (
    <div className={`toast${isError ? ' bad' : ''}`}>
      {isError ? <CircleAlert className="icon" /> : <Check className="icon" />}
      <div className="grow">
        {text}
        {requestId && <CopyButton text={requestId} what={common.copied.requestId} label={requestId} />}
      </div>
      {action && (
        <Button className="small" {...(isUndoable ? { icon: Undo2 } : {})} onClick={act} aria-keyshortcuts="u">
          {action.label}
        </Button>
      )}
      {isUndoable ? (
        <svg className="clock" viewBox="0 0 20 20" aria-hidden="true">
          <circle cx={10} cy={10} r={8} />
          <circle cx={10} cy={10} r={8} />
        </svg>
      ) : (
        <Button kind="quiet" className="small" icon={X} onClick={() => remove(id)} aria-label={texts.kit.dismiss} />
      )}
    </div>
  );
};

export const Toasts = () => (
  <OnTop>
    <div className="toasts" role="status">
      {useValue(toasts).map((toast) => (
        <Said key={toast.id} toast={toast} />
      ))}
    </div>
  </OnTop>
);
