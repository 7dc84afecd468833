import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { Categories } from '../../cli/rows/category.ts';
import { Combobox } from '../kit/combobox.tsx';
import { useSession } from '../session/session.ts';
import { texts } from './texts.ts';

/** Maximum number of categories to load. Users have to refer to any other category by its id. */
const MOST = 1000;

export const CATEGORIES = ['categories'] as const;

export const useCategories = (): Categories => {
  const { petstore, can } = useSession();
  const { data = [] } = useQuery({
    queryKey: [...CATEGORIES, 'all'],
    queryFn: () => petstore.categories.list().toArray({ max: MOST }),
    enabled: can('pets:read'),
    staleTime: 60_000,
  });
  return data;
};

export const CategoryInput = (props: Omit<ComponentProps<typeof Combobox>, 'choices'>) => (
  <Combobox
    {...props}
    choices={useCategories().map(({ id, name }) => ({
      value: name ?? String(id),
      ...(name ? {} : { note: texts.unnamed }),
    }))}
  />
);
