import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { createValue, useValue } from '../data/value.ts';
import { texts } from '../texts.ts';
import { Button } from './button.tsx';

/** Open dialogs, the topmost last. Elements outside of the topmost are inert, also for screen readers. */
const openDialogs = createValue<readonly HTMLDialogElement[]>([]);

/** Renders in place, or inside the topmost dialog if one is open. */
export const OnTop = ({ children }: { children: ReactNode }) => {
  const dialog = useValue(openDialogs).at(-1);
  return dialog ? createPortal(children, dialog) : children;
};

type Props = {
  title: ReactNode;
  onClose: () => void;
  /** `side` for a table row, `middle` for a question. */
  place?: 'side' | 'middle';
  children: ReactNode;
};

/** Traps the keyboard focus until it is closed by Escape, its button, or a click outside. */
export const Dialog = ({ title, onClose, place = 'middle', children }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const pressed = useRef<EventTarget>(null);
  // Close before removal from the page; otherwise the focus does not return.
  useLayoutEffect(() => {
    const shown = dialog.current;
    if (!shown) return;
    shown.showModal();
    // Focus the first field; the dialog element would choose the close button.
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
      // A text selection dragged out of the dialog also ends outside.
      onClick={({ target, currentTarget }) => {
        // A stray click must not close a secret that is shown only once, or is about to be.
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
