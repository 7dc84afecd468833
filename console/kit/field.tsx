import { cloneElement, type ReactElement, type ReactNode, useId } from 'react';
import { PetstoreError } from '../../client/src/index.ts';

type Control = ReactElement<{ id?: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }>;

type Props = {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  children: Control;
};

export const Field = ({ label, hint, error, children }: Props) => {
  const id = useId();
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
          detail,
        ]),
      )
    : {};
