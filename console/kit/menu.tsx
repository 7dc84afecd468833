import { type ReactNode, useRef } from 'react';

/** A button that shows some more of them below it. Closed by Escape, by a choice, and when the focus goes elsewhere. */
export const Menu = ({
  label,
  children,
  keepsOpen = false,
}: {
  label: ReactNode;
  children: ReactNode;
  keepsOpen?: boolean;
}) => {
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (details.current) details.current.open = false;
  };
  return (
    <details
      ref={details}
      className="menu"
      onBlur={(event) => {
        // A click on what cannot hold the focus, such as a label, leaves it open.
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        event.preventDefault();
        event.stopPropagation();
        close();
        details.current.querySelector('summary')?.focus();
      }}
    >
      <summary className="button">{label} ▾</summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it are what is pressed. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above. */}
      <div className="card" onClick={keepsOpen ? undefined : close}>
        {children}
      </div>
    </details>
  );
};
