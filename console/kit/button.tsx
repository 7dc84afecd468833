import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, type MouseEvent, useRef } from 'react';

type Props = ComponentProps<'button'> & {
  /**
   * A page has one `primary` button. A drawer's main action is `tint`. Only confirmation buttons are `danger solid`.
   */
  kind?: 'plain' | 'primary' | 'tint' | 'quiet' | 'danger' | 'quiet danger' | 'danger solid';
  icon?: LucideIcon;
  isBusy?: boolean;
};

/**
 * Lets a double click act only once. A button that starts a change is not disabled until the next render, so a ref
 * blocks any click before that render. Buttons that show only an icon, such as the arrows, change nothing, so they can
 * be clicked in quick succession.
 */
const useOneClick = (act: Props['onClick'], isQuick: boolean) => {
  const isHeld = useRef(false);
  return (event: MouseEvent<HTMLButtonElement>) => {
    // Without `preventDefault`, the second click would still submit the form.
    if (isHeld.current || (event.detail > 1 && !isQuick)) return event.preventDefault();
    isHeld.current = true;
    // React Query disables the button in a timeout that starts after this handler. Two nested timeouts end later.
    setTimeout(() =>
      setTimeout(() => {
        isHeld.current = false;
      }),
    );
    act?.(event);
  };
};

export const Button = ({
  kind = 'plain',
  icon: Icon,
  isBusy = false,
  type = 'button',
  className = '',
  disabled,
  onClick,
  children,
  ...rest
}: Props) => (
  <button
    type={type}
    className={`button ${kind} ${children === undefined ? 'icon-only' : ''} ${className}`}
    disabled={disabled || isBusy}
    aria-busy={isBusy || undefined}
    {...rest}
    onClick={useOneClick(onClick, children === undefined)}
  >
    {Icon && <Icon className="icon" />}
    {children}
  </button>
);
