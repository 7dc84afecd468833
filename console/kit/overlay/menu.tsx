import { ChevronDown } from 'lucide-react';
import { type ReactNode, useRef } from 'react';

const moveFocus = (menu: HTMLElement, step: number): void => {
  const stops = [
    ...menu.querySelectorAll<HTMLElement>('.popup :is(a, button, select, input:not([type="radio"]), input:checked)'),
  ];
  const here = stops.indexOf(document.activeElement as HTMLElement);
  stops.at((here + step) % stops.length)?.focus();
};

export const Menu = ({
  label,
  children,
  keepsOpen = false,
  isUp = false,
  className = 'button',
}: {
  label: ReactNode;
  children: ReactNode;
  keepsOpen?: boolean;
  isUp?: boolean;
  className?: string;
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
        // A click on an element that cannot receive focus, such as a label, must not close the menu.
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (!details.current?.open) return;
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        // In a list of options, the arrow keys choose an option.
        if (step && !(event.target as HTMLElement).closest('select')) {
          event.preventDefault();
          moveFocus(details.current, step);
        }
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        close();
        details.current.querySelector('summary')?.focus();
      }}
    >
      <summary className={className}>
        {label} <ChevronDown className="icon s" />
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside are interactive, not the card. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons inside handle the keys. */}
      <div className={isUp ? 'card popup up' : 'card popup'} onClick={keepsOpen ? undefined : close}>
        {children}
      </div>
    </details>
  );
};
