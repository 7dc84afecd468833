import type { PetChange } from '../../../client/src/index.ts';
import { useCategories } from '../../categories/categories.tsx';
import { categoryName } from '../../categories/category.ts';
import { Button } from '../../kit/button.tsx';
import type { PetVersion } from '../pet-cache.ts';
import { texts } from '../texts.ts';

type Props = {
  version: PetVersion;
  mine: PetChange;
  isBusy: boolean;
  onTheirs: () => void;
  onMine: () => void;
};

const FIELDS = ['name', 'categoryId', 'status'] as const;

export const PetConflict = ({ version: { pet }, mine, isBusy, onTheirs, onMine }: Props) => {
  const categories = useCategories();
  const show = (field: (typeof FIELDS)[number], of: PetChange): string =>
    field === 'categoryId' ? categoryName(categories, of.categoryId ?? pet.categoryId) : (of[field] ?? '');
  return (
    <section className="card conflict stack" role="alert" aria-labelledby="conflict-title">
      <h3 id="conflict-title">{texts.conflict.title}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.conflict.field}</th>
            <th scope="col">{texts.conflict.theirs}</th>
            <th scope="col">{texts.conflict.yours}</th>
          </tr>
        </thead>
        <tbody>
          {FIELDS.filter((field) => mine[field] !== undefined || field === 'name').map((field) => (
            <tr key={field}>
              <th scope="row">{field === 'categoryId' ? texts.conflict.category : field}</th>
              <td>{show(field, pet)}</td>
              <td>
                {mine[field] === undefined ? (
                  <span className="soft">{texts.conflict.unchanged}</span>
                ) : (
                  <strong>{show(field, mine)}</strong>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="row end">
        <Button onClick={onTheirs}>{texts.conflict.useTheirs}</Button>
        <Button kind="primary" isBusy={isBusy} onClick={onMine}>
          {texts.conflict.saveMine}
        </Button>
      </div>
    </section>
  );
};
