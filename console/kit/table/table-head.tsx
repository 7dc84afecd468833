import type { ReactNode } from 'react';
import { texts } from '../../texts.ts';

type Props<Row> = { columns: readonly Column<Row>[]; selection: Selection | undefined; isAll: boolean | undefined };

export const TableHead = <Row,>({ columns, selection, isAll = false }: Props<Row>) => (
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
            <input type="checkbox" aria-label={texts.kit.selectAll} checked={isAll} onChange={selection.toggleAll} />
          </label>
        </div>
      )}
      {columns.map(({ name, isWide }) => (
        // biome-ignore lint/a11y/useSemanticElements: see table.tsx.
        // biome-ignore lint/a11y/useFocusableInteractive: the head is not interactive.
        <div role="columnheader" key={name} className={isWide ? 'wide' : undefined}>
          {name}
        </div>
      ))}
    </div>
  </div>
);

export type Column<Row> = {
  name: string;
  width: string;
  show: (row: Row) => ReactNode;
  isWide?: boolean;
};

export type Selection = { ids: ReadonlySet<string>; toggle: (id: string) => void; toggleAll: () => void };
