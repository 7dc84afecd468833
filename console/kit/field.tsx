import { cloneElement, type ReactElement, type ReactNode, useEffect, useId } from 'react';
import { PetstoreError } from '../../client/src/index.ts';
import { plainDetail } from '../data/error-message.ts';
import { capitalized } from './text.ts';

type Control = ReactElement<{ id?: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }>;

type Props = {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  children: Control;
};

export const Field = ({ label, hint, error, children }: Props) => {
  const id = useId();
  useEffect(() => {
    if (!error) return;
    const form = document.getElementById(id)?.closest('form');
    form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [id, error]);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, { id, 'aria-describedby': `${id}-said`, 'aria-invalid': Boolean(error) })}
      <p id={`${id}-said`} className={error ? 'said bad' : 'said'} role={error ? 'alert' : undefined}>
        {error ?? hint}
      </p>
    </div>
  );
};

export const fieldErrors = (error: Error | null): Record<string, string> =>
  error instanceof PetstoreError
    ? Object.fromEntries(
        error.fields.map(({ pointer, parameter, header, detail }) => [
          pointer?.replace(/^#?\//, '') ?? parameter ?? header ?? '',
          capitalized(plainDetail(detail)),
        ]),
      )
    : {};
