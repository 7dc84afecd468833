import type { ReactNode } from 'react';

export type Column<Row> = {
  name: string;
  /** Its share of the width in CSS, such as `8rem` or `1fr`. */
  width: string;
  show: (row: Row) => ReactNode;
  /** Left out where there is little room. */
  isWide?: boolean;
};

export type Selection = { ids: ReadonlySet<string>; toggle: (id: string) => void; toggleAll: () => void };
