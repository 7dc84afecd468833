import type { HistoryEntry, Int64 } from '../../../client/src/index.ts';
import { useList } from '../../data/list.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Skeleton } from '../../kit/placeholder.tsx';
import { isolated } from '../../kit/text.ts';
import { Time } from '../../kit/time.tsx';
import { useSession } from '../../session/session.ts';
import { useCategories } from '../categories.tsx';
import { type Categories, categoryName } from '../category.ts';
import { historyKey } from '../pet-cache.ts';

type Entry = HistoryEntry<Int64>;

const TITLES: Record<Entry['type'], string> = {
  'pet.created': 'Added',
  'pet.updated': 'Changed',
  'pet.status_changed': 'Moved',
  'pet.deleted': 'Removed',
};

const wordsOf = ({ field, from, to }: Entry['changes'][number], categories: Categories): string => {
  const show = (value: unknown) =>
    field === 'categoryId' && value !== null
      ? isolated(categoryName(categories, value as Int64))
      : isolated(String(value));
  const label = field === 'categoryId' ? 'category' : field;
  if (from === null) return `${label} ${show(to)}`;
  return to === null ? '' : `${label} ${show(from)} → ${show(to)}`;
};

/** The pet's history, newest first. */
export const Timeline = ({ id }: { id: string }) => {
  const { petstore, me } = useSession();
  const categories = useCategories();
  const { rows, isLoading, error, more } = useList<Entry>(historyKey(id), (query) =>
    petstore.pets.history(BigInt(id), { ...query, order: 'desc' }),
  );
  const doerOf = ({ actor }: Entry): string => {
    if (!actor) return 'by the service';
    return actor.keyId === me.id ? 'by this key' : `by ${actor.keyId}`;
  };
  return (
    <section>
      <h3>History</h3>
      {error && <ErrorNote error={error} />}
      <ol className="timeline" aria-label="History">
        {rows.map((entry) => (
          <li key={String(entry.sequence)}>
            <strong>{TITLES[entry.type]}</strong>{' '}
            {entry.changes
              .map((change) => wordsOf(change, categories))
              .filter(Boolean)
              .join(', ')}
            <span className="soft">
              <Time at={entry.timestamp} /> {entry.orderId !== null ? `by order ${entry.orderId}` : doerOf(entry)}
            </span>
          </li>
        ))}
      </ol>
      {isLoading && <Skeleton lines={3} />}
      {more && <Button onClick={more}>Older</Button>}
    </section>
  );
};
