import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';

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
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // A question is answered in its first field; the element itself would choose the button that closes it.
    if (place === 'middle') shown?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => shown?.close();
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
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
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
