import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { usePhone } from '../../data/use-width.ts';
import { useRowKeys } from './row-keys.ts';
import { type Column, type Selection, TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';

type Props<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  /** The address that opens a row, such as `/pets?pet=7`. Rows with an address need no `onOpen`. */
  hrefOf?: (row: Row) => string;
  /** A second line for each row, which phones show instead of the hidden columns. */
  noteOf?: (row: Row) => ReactNode;
  onOpen?: (row: Row) => void;
  openId?: string | undefined;
  selection?: Selection;
  changed?: ReadonlySet<string>;
  onEnd?: (() => void) | undefined;
  isLoading?: boolean;
  empty?: ReactNode;
};

const ROW_PX = 42;
const PHONE_ROW_PX = { plain: 48, noted: 52 };
const AHEAD = 12;
const NEAR_END = 50;
const SKELETONS = Array.from({ length: 8 }, (_, index) => index);

const useRowPx = (isNoted: boolean): number => {
  const isPhone = usePhone();
  return isPhone ? PHONE_ROW_PX[isNoted ? 'noted' : 'plain'] : ROW_PX;
};

const useWindow = (count: number, rowPx: number, onEnd: (() => void) | undefined) => {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: AHEAD,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new row height makes the measured sizes wrong.
  useEffect(() => virtual.measure(), [rowPx]);
  const shown = virtual.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (onEnd && count > 0 && lastShown >= count - NEAR_END) onEnd();
  }, [onEnd, lastShown, count]);
  return { scroller, virtual, shown };
};

export const Table = <Row,>(props: Props<Row>) => {
  const { label, columns, rows, idOf, hrefOf, noteOf, onOpen, openId, selection, changed, isLoading = false } = props;
  const rowPx = useRowPx(noteOf !== undefined);
  const { scroller, virtual, shown } = useWindow(rows.length, rowPx, props.onEnd);
  const { body, onKeyDown } = useRowKeys({
    count: rows.length,
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
    onOpen: (index) => rows[index] && onOpen?.(rows[index]),
    onSelect: (index) => rows[index] && selection?.toggle(idOf(rows[index])),
  });
  const template = (some: readonly string[]): string =>
    [selection ? '2.25rem' : '', ...some.map((width) => `minmax(0, ${width})`)].join(' ');
  const few = columns.filter(({ isWide }) => !isWide).map(({ width, phoneWidth = width }) => phoneWidth);
  const widths = { '--columns': template(columns.map(({ width }) => width)), '--few-columns': template(few) };
  if (!isLoading && rows.length === 0) return props.empty;
  return (
    <div className="table" ref={scroller}>
      {/* biome-ignore lint/a11y/useSemanticElements: rows out of view are not rendered, so this cannot be a table element. */}
      <div role="table" aria-label={label} aria-rowcount={-1} style={{ ...widths, '--row': `${rowPx}px` } as object}>
        <TableHead
          columns={columns}
          selection={selection}
          isAll={rows.length > 0 && rows.every((row) => selection?.ids.has(idOf(row)))}
          isSome={(selection?.ids.size ?? 0) > 0}
        />
        {/* biome-ignore lint/a11y/useSemanticElements: see the comment on the table. */}
        <div
          role="rowgroup"
          ref={body}
          onKeyDown={onKeyDown}
          style={{ height: virtual.getTotalSize(), position: 'relative' }}
        >
          {shown.map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const id = idOf(row);
            return (
              <TableRow
                key={id}
                row={row}
                id={id}
                index={index}
                startPx={start}
                columns={columns}
                isFirst={index === shown[0]?.index}
                isChanged={changed?.has(id) ?? false}
                isSelected={selection?.ids.has(id) ?? false}
                isOpen={id === openId}
                toggle={selection?.toggle}
                hrefOf={hrefOf}
                noteOf={noteOf}
                onOpen={onOpen}
              />
            );
          })}
        </div>
        {isLoading && SKELETONS.map((index) => <div key={index} className="skeleton-row" />)}
      </div>
    </div>
  );
};
