export type PlotColor = 'good' | 'warn' | 'bad' | 'soft' | 'accent';

export type PlotLine = {
  label: string;
  color: PlotColor;
  dash?: readonly number[];
  values: readonly (number | null)[];
};

/** Times are in seconds. Each line has one value for each time. */
export type PlotData = {
  label: string;
  times: readonly number[];
  lines: readonly PlotLine[];
  isStacked?: boolean;
  isBars?: boolean;
  isStepped?: boolean;
  isDays?: boolean;
  height?: number;
  /** The lowest value at which the axis may end. */
  least?: number;
  show?: (value: number) => string;
};
