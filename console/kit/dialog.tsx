import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { createValue, useValue } from '../data/value.ts';
import { Button } from './button.tsx';

/** The dialogs that are open, the topmost last. What stands outside of that one can be neither used nor heard. */
const openDialogs = createValue<readonly HTMLDialogElement[]>([]);

/** Stands in its place on the page, or in the dialog that is open above it. */
export const OnTop = ({ children }: { children: ReactNode }) => {
  const dialog = useValue(openDialogs).at(-1);
  return dialog ? createPortal(children, dialog) : children;
};

type Props = {
  title: ReactNode;
  onClose: () => void;
  /** At the side of the page for a row of a table, in its middle for a question. */
  place?: 'side' | 'middle';
  children: ReactNode;
};

/** A part of the page that holds the keyboard until it is closed, by Escape, its button, or a click beside it. */
export const Dialog = ({ title, onClose, place = 'middle', children }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const pressed = useRef<EventTarget>(null);
  // Closed while it is still on the page, or the focus would not go back to where it came from.
  useLayoutEffect(() => {
    const shown = dialog.current;
    if (!shown) return;
    shown.showModal();
    // A question is answered in its first field; the element itself would choose the button that closes it.
    if (place === 'middle') shown.querySelector<HTMLElement>('input, select, textarea')?.focus();
    openDialogs.set([...openDialogs.get(), shown]);
    return () => {
      openDialogs.set(openDialogs.get().filter((one) => one !== shown));
      shown.close();
    };
  }, [place]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, by the element itself.
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
      // Text that is selected by drawing the mouse out of the dialog ends beside it, too.
      onClick={({ target, currentTarget }) => {
        // What is shown this once, or about to be, is not lost by a click that went astray.
        const isKept = currentTarget.querySelector('[data-once], [aria-busy="true"]') !== null;
        if (target === currentTarget && pressed.current === currentTarget && !isKept) onClose();
      }}
    >
      <div className="inside">
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" onClick={onClose} aria-label="Close">
            ✕
          </Button>
        </header>
        {children}
      </div>
    </dialog>
  );
};

/** A row of a table, opened beside it. */
export const Drawer = (props: Omit<Props, 'place'>) => <Dialog place="side" {...props} />;
