import { X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { createValue, useValue } from '../../data/value.ts';
import { texts } from '../../texts.ts';
import { Button } from '../button.tsx';
import { leave, ScopeContext } from './leave.ts';

/**
 * The open dialogs, with the topmost dialog last. `OnTop` renders its content inside the topmost dialog, because screen
 * readers ignore everything outside that dialog.
 */
const openDialogs = createValue<readonly HTMLDialogElement[]>([]);

export const OnTop = ({ children }: { children: ReactNode }) => {
  const dialog = useValue(openDialogs).at(-1);
  return dialog ? createPortal(children, dialog) : children;
};

type Props = { title: ReactNode; onClose: () => void; children: ReactNode };

export const Dialog = ({ title, onClose, children }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const pressed = useRef<EventTarget>(null);
  const close = () => leave(onClose, id);
  // Closes the dialog before React removes it, so that the browser returns focus to the element that had it before.
  useLayoutEffect(() => {
    const shown = dialog.current;
    if (!shown) return;
    shown.showModal();
    // By default, the browser would focus the close button instead of the first field. Checkboxes are skipped, because
    // a dialog that begins with text, such as the list of shortcuts, must not scroll down to one.
    shown.querySelector<HTMLElement>('input:not([type="checkbox"]), select, textarea')?.focus();
    openDialogs.set([...openDialogs.get(), shown]);
    return () => {
      openDialogs.set(openDialogs.get().filter((one) => one !== shown));
      shown.close();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the dialog element handles Escape itself.
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
      onPointerDown={(event) => {
        pressed.current = event.target;
      }}
      // A click must not close the dialog if it begins inside the dialog, for example when the user selects text.
      // The second click of a double click on the button that opened the dialog must not close it either.
      onClick={({ target, currentTarget, detail }) => {
        // A stray click must not close a dialog that is busy, or that contains a secret that is shown only once.
        const isKept = currentTarget.querySelector('[data-once], [aria-busy="true"]') !== null;
        if (target === currentTarget && pressed.current === currentTarget && detail < 2 && !isKept) close();
      }}
    >
      <div className="inside">
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" icon={X} onClick={close} aria-label={texts.kit.close} />
        </header>
        <ScopeContext value={id}>{children}</ScopeContext>
      </div>
    </dialog>
  );
};
