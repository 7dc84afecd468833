import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { createValue, useValue } from '../data/value.ts';
import { texts } from '../texts.ts';
import { Button } from './button.tsx';

/** The topmost dialog is last. Everything outside the topmost dialog is inert, also for screen readers. */
const openDialogs = createValue<readonly HTMLDialogElement[]>([]);

export const OnTop = ({ children }: { children: ReactNode }) => {
  const dialog = useValue(openDialogs).at(-1);
  return dialog ? createPortal(children, dialog) : children;
};

type Props = {
  title: ReactNode;
  onClose: () => void;
  place?: 'side' | 'middle';
  children: ReactNode;
};

export const Dialog = ({ title, onClose, place = 'middle', children }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const pressed = useRef<EventTarget>(null);
  // Closes the dialog before React removes it. Otherwise, the focus would not return to the element that had it before.
  useLayoutEffect(() => {
    const shown = dialog.current;
    if (!shown) return;
    shown.showModal();
    // By default, the browser would focus the close button instead of the first field.
    if (place === 'middle') shown.querySelector<HTMLElement>('input, select, textarea')?.focus();
    openDialogs.set([...openDialogs.get(), shown]);
    return () => {
      openDialogs.set(openDialogs.get().filter((one) => one !== shown));
      shown.close();
    };
  }, [place]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the dialog element handles Escape itself.
    <dialog
      ref={dialog}
      className={place}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        pressed.current = event.target;
      }}
      // A user who selects text may release the mouse outside the dialog. Only a click that also began outside closes
      // the dialog.
      onClick={({ target, currentTarget }) => {
        // A stray click must not close a dialog with a secret that is shown only once.
        const isKept = currentTarget.querySelector('[data-once], [aria-busy="true"]') !== null;
        if (target === currentTarget && pressed.current === currentTarget && !isKept) onClose();
      }}
    >
      <div className="inside">
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" onClick={onClose} aria-label={texts.kit.close}>
            ✕
          </Button>
        </header>
        {children}
      </div>
    </dialog>
  );
};

export const Drawer = (props: Omit<Props, 'place'>) => <Dialog place="side" {...props} />;
