/** The data of a plot: times in seconds and, for each line, one value per time. */
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
  /** Stacks each line on the previous one. */
  isStacked?: boolean;
  isBars?: boolean;
  /** Draws each value as a step until the next value. */
  isStepped?: boolean;
  height?: number;
  show?: (value: number) => string;
};
