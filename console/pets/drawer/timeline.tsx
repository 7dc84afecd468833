import type { Categories } from '../../../cli/rows/category.ts';
import type { HistoryEntry, Int64 } from '../../../client/src/index.ts';
import { useList } from '../../data/list.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Skeleton } from '../../kit/placeholder.tsx';
import { isolated } from '../../kit/text.ts';
import { Time } from '../../kit/time.tsx';
import { useSession } from '../../session/session.ts';
import { common } from '../../texts.ts';
import { useCategories } from '../categories.tsx';
import { categoryName } from '../category.ts';
import { historyKey } from '../pet-cache.ts';
import { texts } from '../texts.ts';

type Entry = HistoryEntry;

const wordsOf = ({ field, from, to }: Entry['changes'][number], categories: Categories): string => {
  const show = (value: unknown) =>
    field === 'categoryId' && value !== null
      ? isolated(categoryName(categories, value as Int64))
      : isolated(String(value));
  const label = field === 'categoryId' ? texts.timeline.category : field;
  if (from === null) return `${label} ${show(to)}`;
  return to === null ? '' : `${label} ${show(from)} → ${show(to)}`;
};

export const Timeline = ({ id }: { id: string }) => {
  const { petstore, me } = useSession();
  const categories = useCategories();
  const { rows, isLoading, error, more } = useList<Entry>(historyKey(id), (query) =>
    petstore.pets.history(BigInt(id), { ...query, order: 'desc' }),
  );
  const actorOf = ({ actor }: Entry): string => {
    if (!actor) return common.byService;
    return actor.keyId === me.id ? common.byThisKey : common.by(actor.keyId);
  };
  return (
    <section>
      <h3>{common.history}</h3>
      {error && <ErrorNote error={error} />}
      <ol className="timeline" aria-label={common.history}>
        {rows.map((entry) => (
          <li key={String(entry.sequence)}>
            <strong>{texts.timeline.titles[entry.type]}</strong>{' '}
            {entry.changes
              .map((change) => wordsOf(change, categories))
              .filter(Boolean)
              .join(', ')}
            <span className="soft">
              <Time at={entry.timestamp} />{' '}
              {entry.orderId !== null ? texts.timeline.byOrder(entry.orderId) : actorOf(entry)}
            </span>
          </li>
        ))}
      </ol>
      {isLoading && <Skeleton lines={3} />}
      {more && <Button onClick={more}>{common.loadMore}</Button>}
    </section>
  );
};
