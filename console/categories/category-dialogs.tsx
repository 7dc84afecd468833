import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import type { Category } from '../../client/src/index.ts';
import { ApiCall } from '../kit/api-call.tsx';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Field, fieldErrors } from '../kit/field.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { leaveNow, useGuard } from '../kit/overlay/leave.ts';
import { say } from '../kit/overlay/toasts.tsx';
import { useSession } from '../session/session.ts';
import { common, texts as shared } from '../texts.ts';
import { CATEGORIES } from './categories.tsx';
import { texts } from './texts.ts';

type FormProps = {
  title: string;
  first: string;
  /** Pets name their category, so two categories with one name would be ambiguous. */
  taken: readonly Category[];
  action: string;
  send: (name: string) => Promise<unknown>;
  onSent: (name: string) => void;
  onClose: () => void;
  call: { method: string; path: string; code: (name: string) => string };
};

const isSame = (one: string | null, other: string): boolean => one?.trim().toLowerCase() === other.trim().toLowerCase();

/** Mounted inside the dialog, whose scope it guards. */
const Unsaved = ({ isChanged }: { isChanged: boolean }) => {
  useGuard(isChanged ? shared.kit.unsaved : undefined);
  return null;
};

const NameForm = ({ title, first, taken, action, send, onSent, onClose, call }: FormProps) => {
  const queries = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(first);
  const save = useMutation({
    mutationFn: () => send(name),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: CATEGORIES });
      onSent(name);
      leaveNow(onClose);
    },
    onError: () => field.current?.focus(),
  });
  const isTaken = taken.some((category) => isSame(category.name, name));
  const errors = fieldErrors(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isTaken) field.current?.focus();
    else if (name === first) onClose();
    else save.mutate();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Unsaved isChanged={name !== first && !save.isSuccess} />
        <Field label={common.name} hint={texts.nameHint} error={isTaken ? texts.taken : errors.name}>
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
        <ApiCall method={call.method} path={call.path} body={{ name }} code={call.code(JSON.stringify(name))} />
        <div className="row end">
          <Button onClick={() => onClose()}>{common.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={save.isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

type Props = { known: readonly Category[]; onClose: () => void };

export const AddCategory = ({ known, onClose }: Props) => {
  const { petstore } = useSession();
  return (
    <NameForm
      title={texts.addTitle}
      first=""
      taken={known}
      action={common.add}
      send={(name) => petstore.categories.create({ name })}
      onSent={(name) => say(texts.added(name))}
      onClose={onClose}
      call={{
        method: 'POST',
        path: '/categories',
        code: (name) => `const category = await petstore.categories.create({ name: ${name} });`,
      }}
    />
  );
};

export const RenameCategory = ({ category, known, onClose }: Props & { category: Category }) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const { id, name: before } = category;
  const rename = async (name: string) => {
    await petstore.categories.update(id, { name });
    await queries.invalidateQueries({ queryKey: CATEGORIES });
  };
  const undo = before === null ? {} : { action: { label: shared.kit.undo, run: () => void rename(before) } };
  return (
    <NameForm
      title={texts.renameTitle}
      first={before ?? ''}
      taken={known.filter((other) => other.id !== id)}
      action={common.save}
      send={rename}
      onSent={(name) => say(texts.renamed(before ?? texts.unnamedRow(id), name), undo)}
      onClose={onClose}
      call={{
        method: 'PATCH',
        path: `/categories/${id}`,
        code: (name) => `await petstore.categories.update(${id}, { name: ${name} });`,
      }}
    />
  );
};
