import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';

type Props = ComponentProps<'button'> & {
  /**
   * A page has one `primary` button. A drawer's main action is `tint`. Only confirmation buttons are `danger solid`.
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
