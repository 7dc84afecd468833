import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { readCategory } from '../../cli/rows/category.ts';
import type { Pet } from '../../client/src/index.ts';
import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { Confirm } from '../kit/overlay/confirm.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { Menu } from '../kit/overlay/menu.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { changeAll, removeAll } from './bulk.ts';
import { CategoryInput, useCategories } from './categories.tsx';
import { categoryName } from './category.ts';
import { NEXT_STATUSES, STATUSES } from './moves.ts';
import { texts } from './texts.ts';

type Props = { pets: readonly Pet[]; onDone: () => void };

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
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const id = readCategory(categories, String(new FormData(event.currentTarget).get('category')));
    if (id === undefined) setWrong(true);
    else onChoose(id);
  };
  return (
    <Dialog title={texts.bulk.categoryOf(pets.length)} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={common.category} hint={texts.category.hint} error={isWrong ? texts.category.unknown : undefined}>
          <CategoryInput name="category" required />
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

export const BulkBar = ({ pets, onDone }: Props) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const categories = useCategories();
  const [asked, setAsked] = useState<'category' | 'remove'>();
  const bulk = { petstore, queries, pets };
  const statuses = STATUSES.filter((to) => pets.some(({ status = 'available' }) => NEXT_STATUSES[status].includes(to)));
  const begin = (act: () => void) => {
    setAsked(undefined);
    act();
    onDone();
  };
  const close = () => setAsked(undefined);
  return (
    <section className="row bulk" aria-label={texts.bulk.title}>
      <span role="status">{texts.bulk.selected(pets.length)}</span>
      {statuses.length > 0 && (
        <Menu label={texts.bulk.setStatus} isUp>
          {statuses.map((status) => (
            <Button key={status} kind="quiet" onClick={() => begin(() => changeAll(bulk, { status }, status))}>
              {status}
            </Button>
          ))}
        </Menu>
      )}
      <Button onClick={() => setAsked('category')}>{texts.bulk.setCategory}</Button>
      <Button kind="quiet danger" onClick={() => setAsked('remove')}>
        {common.delete}
      </Button>
      <Button kind="quiet" onClick={onDone}>
        {texts.bulk.clear}
      </Button>
      {asked === 'category' && (
        <CategoryDialog
          pets={pets}
          onClose={close}
          onChoose={(categoryId) => begin(() => changeAll(bulk, { categoryId }, categoryName(categories, categoryId)))}
        />
      )}
      {asked === 'remove' && (
        <Confirm
          title={texts.bulk.deleteQuestion(pets.length)}
          action={texts.bulk.delete(pets.length)}
          isBusy={false}
          error={null}
          onConfirm={() => begin(() => removeAll(bulk))}
          onClose={close}
        >
          {texts.bulk.deleteConsequence}
        </Confirm>
      )}
    </section>
  );
};
