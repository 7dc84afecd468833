/** Data of a plot: times in seconds, and one value per time for each line. */
export type PlotData = {
  label: string;
  times: readonly number[];
  lines: readonly {
    label: string;
    color: 'good' | 'warn' | 'bad' | 'soft' | 'accent';
    /** Lengths of dashes and gaps in pixels. */
    dash?: readonly number[];
    values: readonly (number | null)[];
  }[];
  /** Stacks each line on the one before. */
  isStacked?: boolean;
  isBars?: boolean;
  /** Draws each value until the next one. */
  isStepped?: boolean;
  height?: number;
  show?: (value: number) => string;
};
