import { useQuery } from '@tanstack/react-query';
import type { Event, HistoryEntry } from '../../../client/src/index.ts';
import { useCategories } from '../../categories/categories.tsx';
import { useList } from '../../data/list.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Skeleton } from '../../kit/placeholder.tsx';
import { Timeline } from '../../kit/timeline.tsx';
import { useSession } from '../../session/session.ts';
import { common } from '../../texts.ts';
import { historyKey } from '../pet-cache.ts';
import { deletedCategories, fromEvents, fromHistory, namesOther } from './timeline-entries.ts';

/** If the key is not allowed to read events, the timeline shows the pet's history, which has fewer entries. */
const useEntries = (id: string) => {
  const { petstore, can } = useSession();
  const categories = useCategories();
  const petId = BigInt(id);
  const hasEvents = can('events:read');
  const events = useList<Event>(
    [...historyKey(id), 'events'],
    (query) => petstore.events.list({ ...query, petId, order: 'desc' }),
    { isEnabled: hasEvents },
  );
  const { data: deleted = [] } = useQuery({
    queryKey: ['events', 'deleted categories'],
    queryFn: async () => {
      const query = { type: 'category.deleted', order: 'desc', limit: 100 } as const;
      return deletedCategories((await petstore.events.list(query).page()).items);
    },
    enabled: hasEvents && categories.length > 0 && namesOther(events.rows, categories),
  });
  const history = useList<HistoryEntry>(
    historyKey(id),
    (query) => petstore.pets.history(petId, { ...query, order: 'desc' }),
    { isEnabled: !hasEvents },
  );
  return hasEvents
    ? { ...events, entries: fromEvents(events.rows, [...categories, ...deleted]) }
    : { ...history, entries: history.rows.map((entry) => fromHistory(entry, categories)) };
};

export const PetTimeline = ({ id }: { id: string }) => {
  const { can } = useSession();
  const { entries, isLoading, error, more, retry } = useEntries(id);
  return (
    <section>
      <h3>{common.history}</h3>
      {error && <ErrorNote error={error} onRetry={retry} />}
      <Timeline
        entries={entries.map((entry) =>
          entry.orderId !== undefined && can('orders:read')
            ? { ...entry, to: `/orders?order=${entry.orderId}` }
            : entry,
        )}
      />
      {isLoading && <Skeleton lines={3} />}
      {more && (
        <Button className="small" onClick={more}>
          {common.loadMore}
        </Button>
      )}
    </section>
  );
};
