import { type ReactNode, useRef } from 'react';

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
        // A click on an element that cannot have the focus, such as a label, must not close the menu.
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside are interactive, not the card. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons inside handle the keys. */}
      <div className="card" onClick={keepsOpen ? undefined : close}>
        {children}
      </div>
    </details>
  );
};
