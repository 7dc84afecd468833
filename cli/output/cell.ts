import { visible } from './visible.ts';

/** A value as the text of one cell. What is null is a dash, so that no column is empty. */
export const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(' ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, inner]) => `${visible(name)}=${cell(inner)}`)
      .join(' ');
  return visible(String(value));
};
