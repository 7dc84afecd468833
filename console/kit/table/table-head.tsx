import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { texts } from '../../texts.ts';

type Direction = 'ascending' | 'descending';

export type Column<Row> = {
  name: string;
  width: string;
  /** The column's width on a phone, if it differs from `width`. With `auto`, the other columns get more room. */
  phoneWidth?: string;
  show: (row: Row) => ReactNode;
  isWide?: boolean;
  /** True if the column contains the row's link. If no column is marked, the first column contains it. */
  isMain?: boolean;
  /** The link `href` sorts by this column. If the rows are already sorted by this column, it reverses their order. */
  sort?: { direction: Direction | undefined; href: string };
};

export type Selection = { ids: ReadonlySet<string>; toggle: (id: string) => void; toggleAll: () => void };

const ICONS = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown };

const Sort = ({ name, direction, href }: { name: string; direction: Direction | undefined; href: string }) => {
  const Icon = ICONS[direction ?? 'none'];
  return (
    <Link href={href} className={direction ? 'sort on' : 'sort'} aria-label={texts.kit.sortBy(name)}>
      {name}
      <Icon className="icon" />
    </Link>
  );
};

type Props<Row> = {
  columns: readonly Column<Row>[];
  selection: Selection | undefined;
  isAll: boolean;
  isSome: boolean;
};

export const TableHead = <Row,>({ columns, selection, isAll, isSome }: Props<Row>) => (
  // biome-ignore lint/a11y/useSemanticElements: see table.tsx.
  <div role="rowgroup" className="head">
    {/* biome-ignore lint/a11y/useSemanticElements: see table.tsx. */}
    {/* biome-ignore lint/a11y/useFocusableInteractive: the head is not interactive. */}
    <div role="row">
      {selection && (
        // biome-ignore lint/a11y/useSemanticElements: see table.tsx.
        // biome-ignore lint/a11y/useFocusableInteractive: the checkbox in this header is focusable.
        <div role="columnheader">
          <label className="check">
            <input
              type="checkbox"
              aria-label={texts.kit.selectAll}
              checked={isAll}
              ref={(box) => {
                if (box) box.indeterminate = isSome && !isAll;
              }}
              onChange={selection.toggleAll}
            />
          </label>
        </div>
      )}
      {columns.map(({ name, isWide, sort }) => (
        // biome-ignore lint/a11y/useSemanticElements: see table.tsx.
        // biome-ignore lint/a11y/useFocusableInteractive: the link inside the header sorts, not the header itself.
        <div
          role="columnheader"
          key={name}
          className={isWide ? 'wide' : undefined}
          aria-sort={sort && (sort.direction ?? 'none')}
        >
          {sort ? <Sort name={name} {...sort} /> : name}
        </div>
      ))}
    </div>
  </div>
);
