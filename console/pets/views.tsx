import { Bookmark, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { createValue, useValue } from '../data/value.ts';
import { Button } from '../kit/button.tsx';
import { CopyLink } from '../kit/code.tsx';
import { Field } from '../kit/field.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { Menu } from '../kit/overlay/menu.tsx';
import { say } from '../kit/overlay/toasts.tsx';
import { isolated } from '../kit/text.ts';
import { common, texts as kitTexts } from '../texts.ts';
import { toSearch, useAddress } from './filters.ts';
import { texts } from './texts.ts';

/** `search` is part of the URL and contains the whole view, so a link to the view works in any browser. */
type View = { name: string; search: string };

const PLACE = 'petstore-pet-views';

const readViews = (): readonly View[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]');
    return Array.isArray(kept)
      ? kept.filter(({ name, search }) => typeof name === 'string' && typeof search === 'string')
      : [];
  } catch {
    return [];
  }
};

const views = createValue(readViews());

const setViews = (next: readonly View[]): void => {
  views.set(next);
  localStorage.setItem(PLACE, JSON.stringify(next));
};

const removeView = (view: View): void => {
  const before = views.get();
  setViews(before.filter((one) => one !== view));
  say(texts.views.removed(isolated(view.name)), {
    action: { label: kitTexts.kit.undo, run: () => setViews(before) },
  });
};

const SaveDialog = ({ search, onClose }: { search: string; onClose: () => void }) => {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    if (name === '') return;
    setViews([...views.get().filter((view) => view.name !== name), { name, search }]);
    onClose();
  };
  return (
    <Dialog title={texts.views.save} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={common.name} hint={texts.views.hint}>
          <input name="name" required maxLength={60} autoComplete="off" />
        </Field>
        <div className="row end">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit">
            {common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

export const ViewMenu = () => {
  const { filters } = useAddress();
  const [isSaving, setSaving] = useState(false);
  const saved = useValue(views);
  const search = toSearch(filters);
  const now = saved.find((view) => view.search === search);
  return (
    <>
      <Menu
        className={now ? 'button view' : 'button view bare'}
        label={
          <>
            <Bookmark className="icon" />
            <span className={now ? 'cut' : 'unseen'}>{now?.name ?? texts.views.menu}</span>
          </>
        }
      >
        {saved.map((view) => (
          <span key={view.name} className="row saved">
            <Link className="button quiet grow" href={`/pets?${view.search}`} aria-current={view === now || undefined}>
              <span className="cut">{view.name}</span>
            </Link>
            <Button
              kind="quiet"
              icon={Trash2}
              aria-label={texts.views.remove(view.name)}
              onClick={() => removeView(view)}
            />
          </span>
        ))}
        {saved.length > 0 && <hr />}
        <Button kind="quiet" disabled={search === '' || now !== undefined} onClick={() => setSaving(true)}>
          {texts.views.save}
        </Button>
        <CopyLink to={`?${search}`} />
      </Menu>
      {isSaving && <SaveDialog search={search} onClose={() => setSaving(false)} />}
    </>
  );
};
