import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useCommands } from '../../shell/commands.ts';
import { texts } from '../../texts.ts';
import { type Column, type Selection, TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';

type Props<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  onOpen?: (row: Row) => void;
  selection?: Selection;
  changed?: ReadonlySet<string>;
  onEnd?: (() => void) | undefined;
  isLoading?: boolean;
  empty?: ReactNode;
};

const ROW_PX = 40;
const AHEAD = 12;
const NEAR_END = 50;
const SKELETONS = Array.from({ length: 8 }, (_, index) => index);

const useRowKeys = <Row,>({ rows, idOf, onOpen, selection }: Props<Row>, scrollTo: (index: number) => void) => {
  const body = useRef<HTMLDivElement>(null);
  const focusRow = (index: number) => {
    if (index < 0 || index >= rows.length) return;
    scrollTo(index);
    // React may render the row only in the next frame.
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const place = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    const index = Number(place.dataset.index);
    const row = rows[index];
    const actions: Record<string, () => void> = {
      j: () => focusRow(index + 1),
      ArrowDown: () => focusRow(index + 1),
      k: () => focusRow(index - 1),
      ArrowUp: () => focusRow(index - 1),
      Home: () => focusRow(0),
      ...(event.target === place && row
        ? { Enter: () => onOpen?.(row), e: () => onOpen?.(row), x: () => selection?.toggle(idOf(row)) }
        : {}),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  const step = (by: number) => {
    const here = document.activeElement?.closest<HTMLElement>('[data-index]');
    focusRow(here && body.current?.contains(here) ? Number(here.dataset.index) + by : 0);
  };
  useCommands(
    rows.length > 0
      ? [
          { label: texts.shortcuts.nextRow, keys: 'j', run: () => step(1) },
          { label: texts.shortcuts.previousRow, keys: 'k', run: () => step(-1) },
        ]
      : [],
  );
  return { body, onKeyDown };
};

export const Table = <Row,>(props: Props<Row>) => {
  const { label, columns, rows, idOf, onOpen, selection, changed, onEnd, isLoading = false, empty } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: AHEAD,
  });
  const { body, onKeyDown } = useRowKeys(props, (index) => virtual.scrollToIndex(index, { align: 'auto' }));
  const shown = virtual.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (onEnd && rows.length > 0 && lastShown >= rows.length - NEAR_END) onEnd();
  }, [onEnd, lastShown, rows.length]);

  const template = (some: readonly Column<Row>[]): string =>
    [selection ? '2.5rem' : '', ...some.map(({ width }) => `minmax(0, ${width})`)].join(' ');
  const widths = { '--columns': template(columns), '--few-columns': template(columns.filter(({ isWide }) => !isWide)) };
  if (!isLoading && rows.length === 0) return empty;
  return (
    <div className="table" ref={scroller}>
      {/* biome-ignore lint/a11y/useSemanticElements: rows out of view are not rendered, which a table element does not allow. */}
      <div role="table" aria-label={label} aria-rowcount={-1} style={widths as object}>
        <TableHead
          columns={columns}
          selection={selection}
          isAll={rows.length > 0 && selection?.ids.size === rows.length}
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
                toggle={selection?.toggle}
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
