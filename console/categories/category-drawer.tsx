import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowRight, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Category } from '../../client/src/index.ts';
import { COUNTS } from '../data/counts.ts';
import { ApiCall } from '../kit/api-call.tsx';
import { Button } from '../kit/button.tsx';
import { CopyLink } from '../kit/code.tsx';
import { Field } from '../kit/field.tsx';
import { Confirm } from '../kit/overlay/confirm.tsx';
import { Drawer } from '../kit/overlay/drawer.tsx';
import { leaveNow } from '../kit/overlay/leave.ts';
import { ifConnected, say } from '../kit/overlay/toasts.tsx';
import { isolated, showCount } from '../kit/text.ts';
import { useSession } from '../session/session.ts';
import { CATEGORIES } from './categories.tsx';
import { CategoryTile } from './category-tile.tsx';
import { NameForm } from './name-form.tsx';
import { removeSoon } from './remove-category.ts';
import { shownName, texts } from './texts.ts';

type Props = { category: Category; known: readonly Category[]; onClose: () => void };

/** Each request moves up to 100 pets, so several requests may be needed. The last request deletes the category. */
const useMerge = (category: Category, onClose: () => void) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const [moved, setMoved] = useState(0);
  const merge = useMutation({
    mutationFn: async (into: Category) => {
      let total = 0;
      for (let hasMore = true; hasMore; ) {
        const step = await petstore.categories.merge(category.id, { into: into.id });
        total += step.moved;
        setMoved(total);
        hasMore = step.hasMore;
      }
      return total;
    },
    onSuccess: (total, into) => {
      say(texts.merged(shownName(category), shownName(into), total));
      leaveNow(onClose);
    },
    onSettled: () => {
      for (const queryKey of [CATEGORIES, ['pets'], COUNTS]) void queries.invalidateQueries({ queryKey });
    },
  });
  return { merge, moved };
};

const Merge = ({ category, known, onClose }: Props) => {
  const [into, setInto] = useState('');
  const [isAsked, setAsked] = useState(false);
  const { merge, moved } = useMerge(category, onClose);
  const others = known.filter(({ id }) => id !== category.id);
  const target = others.find(({ id }) => String(id) === into);
  const name = shownName(category);
  return (
    <section className="stack">
      <h3>{texts.merge}</h3>
      <Field label={texts.mergeInto} hint={texts.mergeHint}>
        <select value={into} onChange={({ target }) => setInto(target.value)}>
          <option value="">{texts.choose}</option>
          {others.map((other) => (
            <option key={String(other.id)} value={String(other.id)}>
              {shownName(other)}
            </option>
          ))}
        </select>
      </Field>
      <div className="row end">
        <Button disabled={!target} onClick={() => setAsked(true)}>
          {texts.merge}
        </Button>
      </div>
      {isAsked && target && (
        <Confirm
          title={texts.mergeQuestion(isolated(name), isolated(shownName(target)))}
          action={texts.merge}
          typed={name}
          isBusy={merge.isPending}
          error={merge.error}
          onConfirm={() => merge.mutate(target)}
          onClose={() => setAsked(false)}
        >
          {texts.mergeConsequence}
          {merge.isPending && <p role="status">{texts.moved(showCount(moved))}</p>}
        </Confirm>
      )}
    </section>
  );
};

const Remove = ({ category, onClose }: Pick<Props, 'category' | 'onClose'>) => {
  const session = useSession();
  const queries = useQueryClient();
  if (category.pets !== 0) return <span className="soft">{texts.inUse}</span>;
  return (
    <Button
      kind="quiet danger"
      icon={Trash2}
      onClick={() => {
        if (ifConnected(() => removeSoon(session, queries, category))) leaveNow(onClose);
      }}
    >
      {texts.delete}
    </Button>
  );
};

export const CategoryDrawer = ({ category, known, onClose }: Props) => {
  const { petstore, can } = useSession();
  const queries = useQueryClient();
  const canWrite = can('categories:write');
  const { id, name } = category;
  const rename = async (next: string) => {
    await petstore.categories.update(id, { name: next });
    await queries.invalidateQueries({ queryKey: CATEGORIES });
  };
  return (
    <Drawer
      title={texts.title(id)}
      actions={<CopyLink to={`?category=${id}`} />}
      footer={canWrite && <Remove category={category} onClose={onClose} />}
      onClose={onClose}
    >
      <div className="stack drawer-parts">
        <div className="identity">
          <CategoryTile name={name ?? ''} />
          <div className="grow">
            <h3 className="name clamp">{shownName(category)}</h3>
            <Link href={`/pets?categoryId=${id}`}>
              {texts.showPets}
              <ArrowRight className="icon s" />
            </Link>
          </div>
        </div>
        {canWrite && (
          <NameForm
            key={name}
            first={name ?? ''}
            taken={known.filter((other) => other.id !== id)}
            action={texts.rename}
            send={rename}
            onSent={(next) => say(texts.renamed(shownName(category), next))}
          />
        )}
        {canWrite && known.length > 1 && <Merge category={category} known={known} onClose={onClose} />}
        <ApiCall
          method="GET"
          path={`/categories/${id}`}
          code={`const category = await petstore.categories.get(${id});`}
        />
      </div>
    </Drawer>
  );
};
