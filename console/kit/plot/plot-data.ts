/** Times are in seconds. Each line has one value for each time. */
export type PlotData = {
  label: string;
  times: readonly number[];
  lines: readonly {
    label: string;
    color: 'good' | 'warn' | 'bad' | 'soft' | 'accent';
    dash?: readonly number[];
    values: readonly (number | null)[];
  }[];
  isStacked?: boolean;
  isBars?: boolean;
  isStepped?: boolean;
  height?: number;
  show?: (value: number) => string;
};
