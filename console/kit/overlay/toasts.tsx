import { Check, CircleAlert, Undo2, X } from 'lucide-react';
import { useEffect, useState } from 'react';
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
  /** Called when the toast's time is over, but not if the toast is removed before. */
  onEnd?: () => void;
};

const toasts = createValue<readonly Toast[]>([]);
const SHOWN_MS = 6000;
let last = 0;

/** Errors stay until they are dismissed, so they have no clock. */
const clocks = new Map<number, ReturnType<typeof setTimeout>>();

const remove = (id: number): void => {
  clearTimeout(clocks.get(id));
  clocks.delete(id);
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
};

const startClock = ({ id, onEnd }: Toast): void => {
  const end = () => {
    remove(id);
    onEnd?.();
  };
  clocks.set(id, setTimeout(end, SHOWN_MS));
};

/** Stops the toast's clock. Returns a function that starts the clock again, with the whole time. */
const holdClock = (toast: Toast): (() => void) => {
  clearTimeout(clocks.get(toast.id));
  return () => {
    if (clocks.has(toast.id)) startClock(toast);
  };
};

/** Returns a function that removes the toast. */
export const say = (text: string, options: Omit<Toast, 'id' | 'text'> = {}): (() => void) => {
  last += 1;
  const toast = { id: last, text, ...options };
  toasts.set([...toasts.get(), toast]);
  if (!options.isError) startClock(toast);
  return () => remove(toast.id);
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

const Said = ({ toast }: { toast: Toast }) => {
  const { id, text, isError, isUndoable, requestId, action } = toast;
  const [isOver, setOver] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isHeld = isOver || isFocused;
  useEffect(() => (isHeld ? holdClock(toast) : undefined), [isHeld, toast]);
  const act = () => {
    remove(id);
    action?.run();
  };
  // Keyboard users may not reach the button before the toast disappears, so the action also has a shortcut.
  useCommands(action ? [{ label: `${action.label}: ${text}`, keys: 'u', run: act }] : []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: these handlers only stop the toast's clock.
    <div
      className={`toast${isError ? ' bad' : ''}${isHeld ? ' paused' : ''}`}
      // Not `onPointerEnter`: a toast that appears under a pointer at rest must not wait until the pointer moves away.
      onPointerMove={() => setOver(true)}
      onPointerLeave={() => setOver(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
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
