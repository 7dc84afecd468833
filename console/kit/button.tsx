import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';

type Props = ComponentProps<'button'> & {
  /** One primary button per page. A drawer's main action has a tint. Solid danger only confirms in a dialog. */
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
