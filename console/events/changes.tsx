import type { LiveEvent } from '../data/live.ts';
import { showJson } from '../kit/text.ts';
import { texts } from './texts.ts';

type Fields = Record<string, unknown>;

const show = (value: unknown): string => {
  if (value === undefined || value === null) return '–';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? showJson(value) : String(value);
};

const changesOf = ({ type, data }: LiveEvent): { field: string; before?: unknown; after?: unknown }[] => {
  const object = data.object as unknown as Fields;
  const previous = 'previous' in data ? (data.previous as Fields | undefined) : undefined;
  if (previous) {
    return Object.entries(previous).map(([field, before]) => ({ field, before, after: object[field] }));
  }
  const side = type.endsWith('.deleted') ? 'before' : 'after';
  return Object.entries(object).map(([field, value]) => ({ field, [side]: value }));
};

export const Changes = ({ of }: { of: LiveEvent }) => (
  <table className="changes">
    <thead>
      <tr>
        <th scope="col">{texts.changes.field}</th>
        <th scope="col">{texts.changes.before}</th>
        <th scope="col">{texts.changes.after}</th>
      </tr>
    </thead>
    <tbody>
      {changesOf(of).map(({ field, before, after }) => (
        <tr key={field}>
          <th scope="row">{field}</th>
          <td>{show(before)}</td>
          <td>{show(after)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
