import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import { texts } from '../../texts.ts';
import type { Column, Selection } from './table-head.tsx';

type Props<Row> = {
  row: Row;
  id: string;
  index: number;
  startPx: number;
  columns: readonly Column<Row>[];
  /** The Tab key reaches only the first row. The j, k and arrow keys reach the other rows. */
  isFirst: boolean;
  isChanged: boolean;
  isSelected: boolean;
  isOpen: boolean;
  toggle: Selection['toggle'] | undefined;
  hrefOf: ((row: Row) => string) | undefined;
  noteOf: ((row: Row) => ReactNode) | undefined;
  onOpen: ((row: Row) => void) | undefined;
};

/** The link covers the whole row, so that a middle click anywhere in the row opens a new tab. */
const MainCell = ({ href, note, children }: { href: string | undefined; note: ReactNode; children: ReactNode }) => (
  <>
    {href === undefined ? (
      children
    ) : (
      <Link className="row-link" href={href} tabIndex={-1} draggable={false}>
        {children}
      </Link>
    )}
    {note && <span className="note narrow">{note}</span>}
  </>
);

const Drawn = <Row,>(props: Props<Row>) => {
  const { row, id, index, startPx, columns, isFirst, isChanged, isSelected, isOpen } = props;
  const { toggle, hrefOf, noteOf, onOpen } = props;
  const main = columns.find(({ isMain }) => isMain) ?? columns[0];
  return (
    // biome-ignore lint/a11y/useSemanticElements: see table.tsx.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table body handles the keys.
    <div
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-current={isOpen || undefined}
      tabIndex={isFirst ? 0 : -1}
      className={isChanged ? 'changed' : undefined}
      style={{ transform: `translateY(${startPx}px)` }}
      onClick={(event) => {
        if (!(event.target as HTMLElement).closest('button, input, a, select, label')) onOpen?.(row);
      }}
    >
      {toggle && (
        // biome-ignore lint/a11y/useSemanticElements: see table.tsx.
        <div role="cell">
          <label className="check">
            <input type="checkbox" aria-label={texts.kit.select(id)} checked={isSelected} onChange={() => toggle(id)} />
          </label>
        </div>
      )}
      {columns.map((column) => (
        // biome-ignore lint/a11y/useSemanticElements: see table.tsx.
        <div role="cell" key={column.name} className={column.isWide ? 'wide' : undefined}>
          {column === main ? (
            <MainCell href={hrefOf?.(row)} note={noteOf?.(row)}>
              {column.show(row)}
            </MainCell>
          ) : (
            column.show(row)
          )}
        </div>
      ))}
    </div>
  );
};

export const TableRow = memo(Drawn) as typeof Drawn;
