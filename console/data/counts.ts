import { useQuery } from '@tanstack/react-query';
import type { PetStatus } from '../../client/src/index.ts';
import { useSession } from '../session/session.ts';

export const COUNTS = ['inventory', 'counts'] as const;

export type Counts = Record<PetStatus, number>;

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
