/** What a plot shows: times in seconds, and one row of values for each line. */
export type PlotData = {
  label: string;
  times: readonly number[];
  lines: readonly {
    label: string;
    color: 'good' | 'warn' | 'bad' | 'soft' | 'accent';
    /** Lengths of strokes and gaps in pixels. */
    dash?: readonly number[];
    values: readonly (number | null)[];
  }[];
  /** Each line stands on the one before. */
  isStacked?: boolean;
  isBars?: boolean;
  /** A value holds until the next. */
  isStepped?: boolean;
  height?: number;
  /** Formats a value, such as `12 ms`. */
  show?: (value: number) => string;
};
