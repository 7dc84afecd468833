import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import { COUNTS, type Counts } from './counts.ts';

export const useCounts = () => {
  const { petstore, can } = useSession();
  return useQuery({
    queryKey: COUNTS,
    queryFn: async ({ signal }): Promise<Counts> => {
      const { available, pending, sold } = await petstore.store.inventory({ signal });
      return { available: Number(available), pending: Number(pending), sold: Number(sold) };
    },
    enabled: can('orders:read'),
  });
};
