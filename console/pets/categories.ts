import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import type { Categories } from './category.ts';

/** The most categories that are offered by name; any other is entered by its number. */
const MOST = 1000;

export const useCategories = (): Categories => {
  const { petstore } = useSession();
  const { data = [] } = useQuery({
    queryKey: ['categories', 'all'],
    queryFn: () => petstore.categories.list().toArray({ max: MOST }),
    staleTime: 60_000,
  });
  return data;
};
