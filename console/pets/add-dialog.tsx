import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { readCategory } from '../../cli/rows/category.ts';
import type { PetStatus } from '../../client/src/index.ts';
import { CategoryInput, useCategories } from '../categories/categories.tsx';
import { ApiCall } from '../kit/api-call.tsx';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Field, fieldErrors } from '../kit/field.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { isolated } from '../kit/text.ts';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { STATUSES } from './moves.ts';
import { texts } from './texts.ts';

type Props = { onAdded: () => void; onClose: () => void };

export const AddDialog = ({ onAdded, onClose }: Props) => {
  const { petstore } = useSession();
  const categories = useCategories();
  const nameField = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [category, setCategory] = useState('');
  const [status, setStatus] = useState<PetStatus>('available');
  const categoryId = readCategory(categories, category);
  const add = useMutation({
    mutationFn: async () => petstore.pets.create({ name, categoryId: categoryId ?? 0, status }),
    onSuccess: () => {
      setName('');
      nameField.current?.focus();
      onAdded();
    },
  });
  const errors = fieldErrors(add.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (categoryId !== undefined) add.mutate();
    else event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  const body = { name: name || 'Rex', categoryId: categoryId ?? 1, ...(status === 'available' ? {} : { status }) };
  return (
    <Dialog title={texts.addDialog.title} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={common.name} error={errors.name}>
          <input
            ref={nameField}
            value={name}
            onChange={(event) => setName(event.target.value)}
            required
            autoComplete="off"
          />
        </Field>
        <Field
          label={common.category}
          hint={texts.category.newHint}
          error={category && categoryId === undefined ? texts.category.unknown : errors.categoryId}
        >
          <CategoryInput value={category} onChange={(event) => setCategory(event.target.value)} required />
        </Field>
        <Field label={common.status} error={errors.status}>
          <select value={status} onChange={(event) => setStatus(event.target.value as PetStatus)}>
            {STATUSES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </Field>
        <p role="status" className="said">
          {add.data && texts.addDialog.added(isolated(add.data.name), add.data.id)}
        </p>
        {add.error && Object.keys(errors).length === 0 && <ErrorNote error={add.error} />}
        <ApiCall
          method="POST"
          path="/pets"
          body={body}
          code={`const pet = await petstore.pets.create({ name: ${JSON.stringify(body.name)}, categoryId: ${body.categoryId} });`}
        />
        <div className="row end">
          <Button onClick={onClose}>{common.done}</Button>
          <Button kind="primary" type="submit" isBusy={add.isPending}>
            {common.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
