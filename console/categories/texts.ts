import type { Category } from '../../client/src/index.ts';
import { isolated, plural, showCount } from '../kit/text.ts';

export const texts = {
  unnamed: 'no name yet',
  unnamedRow: (id: number | bigint | string) => `Category ${id}`,
  title: (id: number | bigint) => `Category ${id}`,
  add: 'Add category',
  rename: 'Rename',
  taken: 'Another category has this name.',
  added: (name: string) => `${isolated(name)} added.`,
  renamed: (from: string, to: string) => `${isolated(from)} renamed to ${isolated(to)}.`,
  delete: 'Delete category',
  deleted: (name: string) => `${isolated(name)} deleted.`,
  notDeleted: (name: string) => `${isolated(name)} was not deleted.`,
  inUse: 'This category has pets. To delete it, merge it into another category.',
  merge: 'Merge',
  mergeInto: 'Merge into',
  mergeHint: 'All pets in this category move to the other category, and this category is deleted.',
  mergeQuestion: (from: string, into: string) => `Merge ${from} into ${into}?`,
  mergeConsequence: 'You cannot undo this.',
  choose: 'Choose a category',
  moved: (count: string) => `${count} pets moved so far.`,
  merged: (from: string, into: string, count: number) =>
    `${isolated(from)} merged into ${isolated(into)}: ${plural(count, 'pet')} moved.`,
  showPets: 'Show pets',
  petsOf: (count: number) => `Show ${showPets(count)} ${count === 1 ? 'pet' : 'pets'}`,
  search: 'Search categories',
  columns: { name: 'Name', id: 'ID', pets: 'Pets' },
  commands: { add: 'Add category', search: 'Search categories' },
  empty: {
    title: 'No categories yet',
    text: 'Use categories, such as Dogs, Cats or Birds, to group your pets.',
    filteredTitle: 'No matching categories',
    filteredText: 'No category has this text in its name.',
  },
};

/** The service counts at most this many pets in a category. */
export const MAX_COUNTED = 1000;

export const showPets = (count: number): string => `${showCount(count)}${count === MAX_COUNTED ? '+' : ''}`;

export const shownName = ({ id, name }: Category): string => name ?? texts.unnamedRow(id);
