import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { readCategory } from '../../cli/rows/category.ts';
import type { Pet, PetStatus } from '../../client/src/index.ts';
import { CATEGORIES, CategoryInput, useCategories } from '../categories/categories.tsx';
import { newCategoryName } from '../categories/category.ts';
import { messageOf } from '../data/error-message.ts';
import { ApiCall } from '../kit/api-call.tsx';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Field, fieldErrors } from '../kit/field.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { leaveNow, useGuard } from '../kit/overlay/leave.ts';
import { say } from '../kit/overlay/toasts.tsx';
import { brief, capitalized, isolated } from '../kit/text.ts';
import { useSession } from '../session/session.ts';
import { common, texts as shared } from '../texts.ts';
import { STATUSES } from './moves.ts';
import { texts } from './texts.ts';

type Props = { onAdded: () => void; onClose: () => void };

type Adding = { name: string; status: PetStatus; category: bigint | string };

const addedWords = ({ name, id }: Pet, { category }: Adding): string =>
  texts.addDialog.added(brief(name), id, typeof category === 'string' ? brief(category) : undefined);

const useSayAdded = () => {
  const [, go] = useLocation();
  return (pet: Pet, sent: Adding) =>
    say(addedWords(pet, sent), { action: { label: common.open, run: () => go(`/pets?pet=${pet.id}`) } });
};

const Added = ({ pet, sent }: { pet: Pet | undefined; sent: Adding | undefined }) => (
  <p role="status" className="said good">
    {pet && sent && (
      <>
        <Check className="icon s" />
        <Link href={`/pets?pet=${pet.id}`}>{addedWords(pet, sent)}</Link>
      </>
    )}
  </p>
);

/** If the category is new, creates it before the pet, and deletes it again if the pet is refused. */
const useAddPet = (onAdded: () => void) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const createCategory = async (name: string) => {
    try {
      return (await petstore.categories.create({ name })).id;
    } catch (error) {
      // Drops the error's fields; otherwise, the form would show an error about the category's name next to the pet's
      // name.
      throw new Error(messageOf(error as Error));
    }
  };
  return useMutation({
    mutationFn: async ({ category, ...pet }: Adding) => {
      if (typeof category !== 'string') return petstore.pets.create({ ...pet, categoryId: category });
      const categoryId = await createCategory(category);
      try {
        return await petstore.pets.create({ ...pet, categoryId });
      } catch (error) {
        // Does not delete a category that has pets, so it is safe even if the pet may have been added.
        await petstore.categories.delete(categoryId).catch(() => undefined);
        throw error;
      } finally {
        void queries.invalidateQueries({ queryKey: CATEGORIES });
      }
    },
    onSuccess: onAdded,
  });
};

const Call = ({ name, categoryId, status }: { name: string; categoryId: bigint | undefined; status: PetStatus }) => {
  const body = { name: name || 'Rex', categoryId: categoryId ?? 1, ...(status === 'available' ? {} : { status }) };
  return (
    <ApiCall
      method="POST"
      path="/pets"
      body={body}
      code={`const pet = await petstore.pets.create({ name: ${JSON.stringify(body.name)}, categoryId: ${body.categoryId} });`}
    />
  );
};

type StatusProps = { value: PetStatus; error: string | undefined; onChange: (status: PetStatus) => void };

const StatusField = ({ value, error, onChange }: StatusProps) => (
  <Field label={common.status} error={error}>
    <select value={value} onChange={(event) => onChange(event.target.value as PetStatus)}>
      {STATUSES.map((one) => (
        <option key={one} value={one}>
          {capitalized(one)}
        </option>
      ))}
    </select>
  </Field>
);

type ButtonsProps = { isBusy: boolean; action: string; cancel: string; onAnother: () => void; onClose: () => void };

const Buttons = ({ isBusy, action, cancel, onAnother, onClose }: ButtonsProps) => (
  <div className="row end">
    <Button onClick={() => leaveNow(onClose)}>{cancel}</Button>
    {/* Not a submit button, because Enter would press the first one in the form. */}
    <Button kind="quiet" isBusy={isBusy} onClick={(event) => event.currentTarget.form?.reportValidity() && onAnother()}>
      {texts.addDialog.another}
    </Button>
    <Button kind="primary" type="submit" isBusy={isBusy}>
      {action}
    </Button>
  </div>
);

export const AddDialog = ({ onAdded, onClose }: Props) => {
  const { can } = useSession();
  const sayAdded = useSayAdded();
  const categories = useCategories();
  const nameField = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [category, setCategory] = useState('');
  const [status, setStatus] = useState<PetStatus>('available');
  const [isTried, setTried] = useState(false);
  const [lastCategory, setLastCategory] = useState('');
  useGuard(name !== '' || category !== lastCategory ? shared.kit.unsaved : undefined);
  const categoryId = readCategory(categories, category);
  const newCategory = can('categories:write') ? newCategoryName(categories, category) : undefined;
  const chosen = categoryId ?? newCategory;
  const add = useAddPet(onAdded);
  const clear = () => {
    setName('');
    setLastCategory(category);
    nameField.current?.focus();
  };
  const close = (pet: Pet, sent: Adding) => {
    sayAdded(pet, sent);
    leaveNow(onClose);
  };
  const errors = fieldErrors(add.error);
  const clearError = () => add.error && add.reset();
  const send = (onSuccess: (pet: Pet, sent: Adding) => void) => {
    setTried(true);
    if (chosen !== undefined) add.mutate({ name, status, category: chosen }, { onSuccess });
  };
  const hint = can('categories:write') ? texts.category.newHint : texts.category.hint;
  return (
    <Dialog title={texts.addDialog.title} onClose={onClose}>
      <form
        className="stack"
        onChange={clearError}
        onSubmit={(event) => {
          event.preventDefault();
          send(close);
        }}
      >
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
          hint={newCategory ? texts.category.new(isolated(newCategory)) : hint}
          error={isTried && category && chosen === undefined ? texts.category.unknown : errors.categoryId}
        >
          <CategoryInput
            value={category}
            required
            onChange={(value) => {
              setCategory(value);
              setTried(false);
              clearError();
            }}
          />
        </Field>
        <StatusField value={status} error={errors.status} onChange={setStatus} />
        <Added pet={add.data} sent={add.variables} />
        {add.error && Object.keys(errors).length === 0 && <ErrorNote error={add.error} />}
        <Call name={name} categoryId={categoryId} status={status} />
        <Buttons
          isBusy={add.isPending}
          action={newCategory ? texts.addDialog.withCategory : common.add}
          cancel={add.data ? common.done : common.cancel}
          onAnother={() => send(clear)}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
};
