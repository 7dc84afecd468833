import { memo } from 'react';
import { texts } from '../../texts.ts';
import type { Column, Selection } from './table-head.tsx';

type Props<Row> = {
  row: Row;
  id: string;
  index: number;
  startPx: number;
  columns: readonly Column<Row>[];
  /** The Tab key reaches only the first row. The keys j and k and the arrow keys reach the other rows. */
  isFirst: boolean;
  isChanged: boolean;
  isSelected: boolean;
  toggle: Selection['toggle'] | undefined;
  onOpen: ((row: Row) => void) | undefined;
};

const Drawn = <Row,>(props: Props<Row>) => {
  const { row, id, index, startPx, columns, isFirst, isChanged, isSelected, toggle, onOpen } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see table.tsx.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table body handles the keys.
    <div
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
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
      {columns.map(({ name, show, isWide }) => (
        // biome-ignore lint/a11y/useSemanticElements: see table.tsx.
        <div role="cell" key={name} className={isWide ? 'wide' : undefined}>
          {show(row)}
        </div>
      ))}
    </div>
  );
};

export const TableRow = memo(Drawn) as typeof Drawn;
