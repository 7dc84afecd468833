import { isolated } from '../kit/text.ts';

export const texts = {
  unnamed: 'no name yet',
  unnamedRow: (id: number | bigint | string) => `Category ${id}`,
  note: 'Every pet belongs to a category. Renaming a category changes it for all its pets.',
  add: 'Add category',
  addTitle: 'Add category',
  rename: 'Rename',
  renameTitle: 'Rename category',
  nameHint: '1 to 255 characters.',
  taken: 'Another category has this name.',
  added: (name: string) => `${isolated(name)} added.`,
  renamed: (from: string, to: string) => `${isolated(from)} renamed to ${isolated(to)}.`,
  showPets: 'Show pets',
  search: 'Search categories',
  columns: { name: 'Name', id: 'ID', pets: 'Pets', actions: 'Actions' },
  commands: { add: 'Add category', search: 'Search categories' },
  empty: {
    title: 'No categories yet',
    text: 'Categories group your pets, such as Dogs, Cats or Birds.',
    filteredTitle: 'No matching categories',
    filteredText: 'No category has this text in its name.',
  },
};
