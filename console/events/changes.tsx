import type { Categories } from '../../cli/rows/category.ts';
import type { Int64 } from '../../client/src/index.ts';
import { useCategories } from '../categories/categories.tsx';
import { categoryName } from '../categories/category.ts';
import type { LiveEvent } from '../data/live.ts';
import { isolated, showJson } from '../kit/text.ts';
import { texts } from './texts.ts';

type Fields = Record<string, unknown>;
type Change = { field: string; before?: unknown; after?: unknown };

const show = (value: unknown): string => {
  if (value === undefined || value === null) return '–';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? showJson(value) : String(value);
};

const previousOf = ({ data }: LiveEvent): Fields | undefined =>
  'previous' in data ? (data.previous as Fields | undefined) : undefined;

/** Shows the name of a category instead of its id. */
const named = ({ categoryId, ...fields }: Fields, categories: Categories): Fields =>
  categoryId === undefined
    ? fields
    : { ...fields, [texts.changes.category]: isolated(categoryName(categories, categoryId as Int64)) };

const changesOf = (event: LiveEvent, categories: Categories): Change[] => {
  const object = named(event.data.object as unknown as Fields, categories);
  const before = previousOf(event);
  const previous = before && named(before, categories);
  if (previous) {
    return Object.entries(previous).map(([field, before]) => ({ field, before, after: object[field] }));
  }
  const side = event.type.endsWith('.deleted') ? 'before' : 'after';
  const fields = Object.entries(object).map(([field, value]): Change => ({ field, [side]: value }));
  const target = event.type === 'category.deleted' && event.data.mergedInto;
  if (target) fields.push({ field: texts.changes.mergedInto, after: isolated(target.name ?? String(target.id)) });
  return fields;
};

/** Returns an empty string for a new object, which has no previous values. */
export const changeWords = (event: LiveEvent, categories: Categories): string =>
  previousOf(event)
    ? changesOf(event, categories)
        .filter(({ field }) => !field.endsWith('At'))
        .map(({ field, before, after }) => texts.changes.line(field, show(before), show(after)))
        .join(', ')
    : '';

export const Changes = ({ of }: { of: LiveEvent }) => {
  const categories = useCategories();
  return (
    <table className="changes">
      <thead>
        <tr>
          <th scope="col">{texts.changes.field}</th>
          <th scope="col">{texts.changes.before}</th>
          <th scope="col">{texts.changes.after}</th>
        </tr>
      </thead>
      <tbody>
        {changesOf(of, categories).map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td className="before">{show(before)}</td>
            <td className="after">{show(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
