import type { ComponentProps } from 'react';

type Props = ComponentProps<'button'> & {
  kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  isBusy?: boolean;
};

export const Button = ({
  kind = 'plain',
  isBusy = false,
  type = 'button',
  className = '',
  disabled,
  ...rest
}: Props) => (
  <button
    type={type}
    className={`button ${kind} ${className}`}
    disabled={disabled || isBusy}
    aria-busy={isBusy || undefined}
    {...rest}
  />
);
