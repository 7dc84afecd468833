import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';

type Props = ComponentProps<'button'> & {
  /**
   * A page has one `primary` button. The main action of a drawer is `tint`. `danger solid` only confirms in a dialog.
   */
  kind?: 'plain' | 'primary' | 'tint' | 'quiet' | 'danger' | 'quiet danger' | 'danger solid';
  icon?: LucideIcon;
  isBusy?: boolean;
};

export const Button = ({
  kind = 'plain',
  icon: Icon,
  isBusy = false,
  type = 'button',
  className = '',
  disabled,
  children,
  ...rest
}: Props) => (
  <button
    type={type}
    className={`button ${kind} ${children === undefined ? 'icon-only' : ''} ${className}`}
    disabled={disabled || isBusy}
    aria-busy={isBusy || undefined}
    {...rest}
  >
    {Icon && <Icon className="icon" />}
    {children}
  </button>
);
