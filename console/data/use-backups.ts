import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';

const RUNNING_MS = 2000;
const IDLE_MS = 60_000;

export const BACKUPS = ['backups'];

/** On PostgreSQL, the list is empty, because the service does not back up a PostgreSQL database. */
export const useBackups = () => {
  const { petstore, can } = useSession();
  return useQuery({
    queryKey: BACKUPS,
    queryFn: ({ signal }) => petstore.backups.list({ signal }).then((list) => list),
    enabled: can('ops:read'),
    refetchInterval: ({ state }) => (state.data?.[0]?.state === 'running' ? RUNNING_MS : IDLE_MS),
  });
};
