import type { PetChange } from '../../../client/src/index.ts';
import { Button } from '../../kit/button.tsx';
import { useCategories } from '../categories.tsx';
import { categoryName } from '../category.ts';
import type { PetVersion } from '../pet-cache.ts';

type Props = {
  version: PetVersion;
  mine: PetChange;
  isBusy: boolean;
  onTheirs: () => void;
  onMine: () => void;
};

const FIELDS = ['name', 'categoryId', 'status'] as const;

/** Shows both versions after an edit conflict and asks which one to keep. */
export const PetConflict = ({ version: { pet }, mine, isBusy, onTheirs, onMine }: Props) => {
  const categories = useCategories();
  const show = (field: (typeof FIELDS)[number], of: PetChange): string =>
    field === 'categoryId' ? categoryName(categories, of.categoryId ?? pet.categoryId) : (of[field] ?? '');
  return (
    <section className="card conflict stack" role="alert" aria-labelledby="conflict-title">
      <h3 id="conflict-title">Somebody else has changed it meanwhile</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Theirs, as it is now</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {FIELDS.filter((field) => mine[field] !== undefined || field === 'name').map((field) => (
            <tr key={field}>
              <th scope="row">{field === 'categoryId' ? 'category' : field}</th>
              <td>{show(field, pet)}</td>
              <td>
                {mine[field] === undefined ? (
                  <span className="soft">unchanged</span>
                ) : (
                  <strong>{show(field, mine)}</strong>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="row end">
        <Button onClick={onTheirs}>Take theirs</Button>
        <Button kind="primary" isBusy={isBusy} onClick={onMine}>
          Write mine
        </Button>
      </div>
    </section>
  );
};
