import { useQueryClient } from '@tanstack/react-query';
import { CircleDot, Tag, Trash2, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { readCategory } from '../../../cli/rows/category.ts';
import type { Order, Pet, PetChange, PetStatus } from '../../../client/src/index.ts';
import { CategoryInput, useCategories } from '../../categories/categories.tsx';
import { categoryName } from '../../categories/category.ts';
import { Button } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Confirm } from '../../kit/overlay/confirm.tsx';
import { Dialog } from '../../kit/overlay/dialog.tsx';
import { Menu } from '../../kit/overlay/menu.tsx';
import { ifConnected, say } from '../../kit/overlay/toasts.tsx';
import { capitalized, isolated } from '../../kit/text.ts';
import { useSession } from '../../session/session.ts';
import { common } from '../../texts.ts';
import { NEXT_STATUSES, STATUSES } from '../moves.ts';
import { useOpenOrders } from '../open-orders.ts';
import { removeSoon } from '../remove-pets.ts';
import { texts } from '../texts.ts';
import { changeAll, removeAll } from './bulk.ts';
import { changeSoon, MAX_UNDOABLE, sayRefused } from './change-soon.ts';
import { leaveOut } from './left-out.ts';

const NONE = new Map<string, Order>();

type Props = { pets: readonly Pet[]; onDone: () => void; onUndo: (pets: readonly Pet[]) => void };

const CategoryDialog = ({
  pets,
  onChoose,
  onClose,
}: {
  pets: Props['pets'];
  onChoose: (id: bigint) => void;
  onClose: () => void;
}) => {
  const categories = useCategories();
  const [category, setCategory] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const id = readCategory(categories, category);
    if (id !== undefined) return onChoose(id);
    setWrong(true);
    event.currentTarget.querySelector('input')?.focus();
  };
  return (
    <Dialog title={texts.bulk.categoryOf(pets.length)} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={common.category} hint={texts.category.hint} error={isWrong ? texts.category.unknown : undefined}>
          <CategoryInput
            value={category}
            required
            onChange={(value) => {
              setCategory(value);
              setWrong(false);
            }}
          />
        </Field>
        <div className="row end">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit">
            {texts.bulk.setCategory}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

const StatusMenu = ({ pets, onChoose }: { pets: Props['pets']; onChoose: (status: PetStatus) => void }) => {
  const statuses = STATUSES.filter((to) => pets.some(({ status = 'available' }) => NEXT_STATUSES[status].includes(to)));
  if (statuses.length === 0) return null;
  return (
    <Menu
      className="button quiet"
      label={
        <>
          <CircleDot className="icon" />
          {common.status}
        </>
      }
      isUp
    >
      {statuses.map((status) => (
        <Button key={status} kind="quiet" onClick={() => onChoose(status)}>
          {capitalized(status)}
        </Button>
      ))}
    </Menu>
  );
};

type Asked = { title: string; action: string; text: string; isFinal: boolean; run: () => void };

const deletionOf = (count: number, run: () => void): Asked => ({
  title: texts.bulk.question(texts.bulk.delete(count)),
  action: texts.bulk.delete(count),
  text: texts.bulk.deleteConsequence,
  isFinal: true,
  run,
});

const sayHeld = ({ name }: Pet): void => {
  say(`${texts.drawer.notDeleted(isolated(name))} ${texts.drawer.cannotDelete}`, { isError: true });
};

export const BulkBar = ({ pets, onDone, onUndo }: Props) => {
  const session = useSession();
  const queries = useQueryClient();
  const categories = useCategories();
  const [asked, setAsked] = useState<Asked | 'category'>();
  const only = pets.length === 1 ? pets[0] : undefined;
  // Only pending pets can be held by an order.
  const orders = useOpenOrders(pets.some(({ status }) => status === 'pending'));
  const bulk = { petstore: session.petstore, queries, pets };
  const close = () => setAsked(undefined);
  const begin = (act: () => void) => {
    close();
    if (ifConnected(act)) onDone();
  };
  const change = (part: PetChange, to: string) => {
    const { changing, words } = leaveOut(pets, part.status, orders?.byPet ?? NONE);
    const count = changing.length;
    if (count === 0) return void say(`${texts.bulk.notChanged(pets.length, to)} ${words}`, { isError: true });
    const [isFinal, isUndoable] = [part.status === 'sold', count <= MAX_UNDOABLE];
    const some = { ...bulk, pets: changing };
    const run = () =>
      isUndoable
        ? changeSoon(session, some, part, to, words, () => onUndo(pets))
        : void changeAll(some, part, to).then(sayRefused);
    if (isUndoable && (!isFinal || pets.length === 1)) return begin(run);
    const action = texts.bulk.set(count, to);
    const { changeConsequence, sellConsequence, sellSoonConsequence } = texts.bulk;
    const sale = isUndoable ? sellSoonConsequence : sellConsequence;
    const text = `${words} ${isFinal ? sale : changeConsequence}`.trim();
    setAsked({ title: texts.bulk.question(action), action, text, isFinal, run });
  };
  const removeOne = (pet: Pet) =>
    orders?.byPet.has(String(pet.id))
      ? sayHeld(pet)
      : begin(() => removeSoon(session, queries, pet, () => onUndo(pets)));
  const removeMany = () => setAsked(deletionOf(pets.length, () => void removeAll(bulk).then(sayRefused)));
  return (
    <>
      <section className="bulk" aria-label={texts.bulk.title}>
        <span role="status">{texts.bulk.selected(pets.length)}</span>
        <StatusMenu pets={pets} onChoose={(status) => change({ status }, status)} />
        <Button kind="quiet" icon={Tag} onClick={() => setAsked('category')}>
          {common.category}
        </Button>
        <Button kind="quiet danger" icon={Trash2} onClick={() => (only ? removeOne(only) : removeMany())}>
          {common.delete}
        </Button>
        <Button kind="quiet" icon={X} onClick={onDone} aria-label={texts.bulk.clear} />
      </section>
      {asked === 'category' && (
        <CategoryDialog
          pets={pets}
          onClose={close}
          onChoose={(categoryId) => {
            close();
            change({ categoryId }, categoryName(categories, categoryId));
          }}
        />
      )}
      {asked && asked !== 'category' && (
        <Confirm
          title={asked.title}
          action={asked.action}
          isFinal={asked.isFinal}
          isBusy={false}
          error={null}
          onConfirm={() => begin(asked.run)}
          onClose={close}
        >
          {asked.text}
        </Confirm>
      )}
    </>
  );
};
