import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { Category } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Field, fieldErrors } from '../kit/field.tsx';
import { useGuard } from '../kit/overlay/leave.ts';
import { common, texts as shared } from '../texts.ts';
import { texts } from './texts.ts';

type Props = {
  first: string;
  /**
   * The categories whose names are already taken. Names must be unique, because forms and imports find categories by
   * name.
   */
  taken: readonly Category[];
  action: string;
  send: (name: string) => Promise<unknown>;
  onSent: (name: string) => void;
  children?: ReactNode;
};

const isSame = (one: string | null, other: string): boolean => one?.trim().toLowerCase() === other.trim().toLowerCase();

export const NameForm = ({ first, taken, action, send, onSent, children }: Props) => {
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(first);
  const save = useMutation({
    mutationFn: () => send(name),
    onSuccess: () => onSent(name),
    onError: () => field.current?.focus(),
  });
  const isTaken = taken.some((category) => isSame(category.name, name));
  const errors = fieldErrors(save.error);
  const isChanged = name !== first;
  useGuard(isChanged && !save.isSuccess ? shared.kit.unsaved : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isTaken) field.current?.focus();
    else if (isChanged) save.mutate();
  };
  return (
    <form className="stack" onSubmit={submit} onChange={() => save.error && save.reset()}>
      <Field label={common.name} error={isTaken ? texts.taken : errors.name}>
        <input
          ref={field}
          value={name}
          required
          maxLength={255}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      {save.error && !errors.name && <ErrorNote error={save.error} />}
      {children}
      <div className="row end">
        <Button kind="tint" type="submit" disabled={!isChanged} isBusy={save.isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
};
