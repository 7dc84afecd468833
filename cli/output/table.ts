import { OUTPUT } from '../messages.ts';
import { type Column, headingOf, type Row } from './columns.ts';
import { createPaint, type Paint, styleOfWord } from './paint.ts';
import type { Terminal } from './terminal.ts';
import { cell, displayWidth, padEnd, relativeTime, truncate, visible } from './text.ts';

/** `Math.max(...widths)` would fail for a table that has more rows than a function call can have arguments. */
const widthsOf = (rows: readonly (readonly string[])[]): number[] =>
  (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[column] ?? '')), 0),
  );

export const alignColumns = (
  rows: readonly (readonly string[])[],
  dress: (text: string, row: number, column: number) => string = (text) => text,
): string => {
  const widths = widthsOf(rows);
  const line = (texts: readonly string[], row: number) =>
    texts
      .map((text, column) => {
        const isLast = texts.slice(column + 1).every((after) => after === '');
        const padded = isLast ? text : padEnd(text, widths[column] ?? 0);
        return dress(text, row, column) + padded.slice(text.length);
      })
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
};

const GAP = 2;
/** If a table is too wide, cells are truncated to this width, except in the first column, which identifies the row. */
const ENOUGH = 32;

const countFitting = (widths: readonly number[], columns: number): number => {
  let used = -GAP;
  const fitting = widths.findIndex((width) => {
    used += width + GAP;
    return used > columns;
  });
  return fitting < 0 ? widths.length : Math.max(1, fitting);
};

const fit = (rows: readonly (readonly string[])[], columns: number): string[][] => {
  const widths = widthsOf(rows);
  const most = (column: number) => (column === 0 ? columns : ENOUGH);
  const isEnough = countFitting(widths, columns) === widths.length;
  const kept = isEnough ? widths : widths.map((width, column) => Math.min(width, most(column)));
  const count = countFitting(kept, columns);
  const shown = kept.slice(0, count);
  const left = columns - shown.reduce((sum, width) => sum + width + GAP, -GAP);
  const cut = shown.findIndex((width, column) => width < (widths[column] ?? 0));
  if (cut >= 0) shown[cut] = (shown[cut] ?? 0) + left;
  return rows.map((row) => shown.map((width, column) => truncate(row[column] ?? '', width)));
};

const textOf = ({ name, isTime, derive }: Column, row: Row, { columns, clock }: Terminal): string => {
  if (derive) return visible(derive(row, clock()));
  const value = row[name];
  return isTime && columns !== undefined && typeof value === 'string'
    ? relativeTime(Date.parse(value), clock())
    : cell(value);
};

const dressWith =
  (paint: Paint) =>
  (text: string, row: number): string =>
    row === 0 ? paint('dim', text) : paint(styleOfWord(text.replace(/:.*/, '')), text);

export type Choice = { columns: readonly Column[]; isWhole: boolean };

export const showList = (rows: readonly Row[], choice: Choice, terminal: Terminal) => {
  if (rows.length === 0) return { text: OUTPUT.none, hidden: 0 };
  const isShown = terminal.columns !== undefined;
  const heading = choice.columns.map((column) => visible(isShown ? headingOf(column) : column.name));
  const all = [heading, ...rows.map((row) => choice.columns.map((column) => textOf(column, row, terminal)))];
  const kept = terminal.columns === undefined || choice.isWhole ? all : fit(all, terminal.columns);
  const text = alignColumns(kept, dressWith(createPaint(terminal.hasColours)));
  return { text, hidden: heading.length - (kept[0]?.length ?? 0) };
};

const isRows = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && one !== null);

const timeWords = (text: string, { columns, clock }: Terminal): string =>
  columns === undefined ? cell(text) : `${cell(text)}  (${relativeTime(Date.parse(text), clock())})`;

const innerLists = (thing: Row, terminal: Terminal): string[] =>
  Object.entries(thing).flatMap(([name, value]) => {
    if (!isRows(value)) return [];
    const columns = Object.keys(value[0] as Row).map((field) => ({ name: field, isTime: false }));
    return [`\n${visible(name)}\n${showList(value, { columns, isWhole: true }, terminal).text}`];
  });

export const showThing = (thing: Row, columns: readonly Column[], terminal: Terminal): string => {
  const paint = createPaint(terminal.hasColours);
  const isTime = (name: string) => columns.some((column) => column.name === name && column.isTime);
  const lines = Object.entries(thing)
    .filter(([, value]) => !isRows(value))
    .map(([name, value]) => [
      visible(name),
      isTime(name) && typeof value === 'string' ? timeWords(value, terminal) : cell(value),
    ]);
  const fields = alignColumns(lines, (text, _, column) => paint(column === 0 ? 'dim' : styleOfWord(text), text));
  return [fields, ...innerLists(thing, terminal)].join('\n');
};
