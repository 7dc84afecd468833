import { type FormEvent, useState } from 'react';
import { type Categories, readCategory } from '../../../cli/rows/category.ts';
import type { Pet, PetChange } from '../../../client/src/index.ts';
import { CategoryInput, useCategories } from '../../categories/categories.tsx';
import { categoryName } from '../../categories/category.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Field, fieldErrors } from '../../kit/field.tsx';
import { useGuard } from '../../kit/overlay/leave.ts';
import { say } from '../../kit/overlay/toasts.tsx';
import { brief } from '../../kit/text.ts';
import { useSession } from '../../session/session.ts';
import { common, texts as kitTexts } from '../../texts.ts';
import type { PetVersion } from '../pet-cache.ts';
import { texts } from '../texts.ts';
import { PetConflict } from './pet-conflict.tsx';
import type { SavePet } from './pet-version.ts';

/** `over` is the version of the pet that the user began to edit. */
type Draft = { name: string; category: string; over: PetVersion };

const toDraft = (version: PetVersion, categories: Categories): Draft => ({
  name: version.pet.name,
  category: categoryName(categories, version.pet.categoryId),
  over: version,
});

const toChange = ({ name, category, over: { pet } }: Draft, categories: Categories): PetChange | undefined => {
  const isSame = category.trim() === categoryName(categories, pet.categoryId);
  const categoryId = isSame ? BigInt(pet.categoryId) : readCategory(categories, category);
  if (categoryId === undefined) return undefined;
  return {
    ...(name === pet.name ? {} : { name }),
    ...(categoryId === BigInt(pet.categoryId) ? {} : { categoryId }),
  };
};

const Reading = ({ version: { pet } }: { version: PetVersion }) => (
  <dl className="facts">
    <dt>{common.name}</dt>
    <dd>{pet.name}</dd>
    <dt>{common.category}</dt>
    <dd>{categoryName(useCategories(), pet.categoryId)}</dd>
  </dl>
);

const Writing = ({ version, save }: { version: PetVersion; save: SavePet }) => {
  const categories = useCategories();
  const [draft, setDraft] = useState<Draft>();
  const shown = draft ?? toDraft(version, categories);
  const change = toChange(shown, categories);
  const isChanged = change === undefined || Object.keys(change).length > 0;
  const errors = fieldErrors(save.error);
  useGuard(isChanged ? kitTexts.kit.unsaved : undefined);
  const type = (part: Partial<Draft>) => {
    setDraft({ ...shown, ...part });
    if (save.error) save.reset();
  };
  const end = () => {
    setDraft(undefined);
    save.reset();
  };
  const saved = ({ data }: { data: Pet }) => {
    end();
    say(texts.drawer.saved(brief(data.name)));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change) save.mutate({ change, etag: shown.over.etag }, { onSuccess: saved });
  };
  return (
    <form className="stack pet-form" onSubmit={submit} aria-label={texts.drawer.form}>
      <Field label={common.name} error={errors.name}>
        <input value={shown.name} onChange={(event) => type({ name: event.target.value })} autoComplete="off" />
      </Field>
      <Field
        label={common.category}
        hint={texts.category.hint}
        error={change === undefined ? texts.category.unknown : errors.categoryId}
      >
        <CategoryInput value={shown.category} onChange={(category) => type({ category })} />
      </Field>
      {save.refused && !save.isPending && (
        <PetConflict
          version={version}
          mine={save.refused}
          isBusy={save.isPending}
          onTheirs={end}
          onMine={() => save.refused && save.mutate({ change: save.refused, etag: version.etag }, { onSuccess: saved })}
        />
      )}
      {save.error && !save.refused && Object.keys(errors).length === 0 && <ErrorNote error={save.error} />}
      {isChanged && !save.refused && (
        <div className="row end">
          <Button onClick={end}>{texts.drawer.discard}</Button>
          <Button kind="primary" type="submit" isBusy={save.isPending} disabled={change === undefined}>
            {common.save}
          </Button>
        </div>
      )}
    </form>
  );
};

export const PetForm = (props: { version: PetVersion; save: SavePet }) =>
  useSession().can('pets:write') ? <Writing {...props} /> : <Reading {...props} />;
