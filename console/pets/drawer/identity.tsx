import { Link } from 'wouter';
import type { Pet } from '../../../client/src/index.ts';
import { useCategories } from '../../categories/categories.tsx';
import { categoryName } from '../../categories/category.ts';
import { CategoryTile } from '../../categories/category-tile.tsx';
import { StatusBadge } from '../../kit/badge.tsx';
import { Ends } from '../../kit/table/ends.tsx';
import { texts } from '../texts.ts';

export const Identity = ({ pet: { id, name, categoryId, status }, to }: { pet: Pet; to?: string }) => {
  const category = categoryName(useCategories(), categoryId);
  const shown = <span className="clamp">{name}</span>;
  return (
    <div className="identity">
      <CategoryTile name={category} />
      <div className="grow">
        <h3 className="name" title={name}>
          {to ? <Link href={to}>{shown}</Link> : shown}
        </h3>
        <span className="soft">
          <Ends text={to ? texts.drawer.categoryAndId(category, id) : category} />
        </span>
      </div>
      {/* Next to the status of an order, the status of its pet would look like a contradiction. */}
      {!to && <StatusBadge status={status ?? 'available'} />}
    </div>
  );
};
