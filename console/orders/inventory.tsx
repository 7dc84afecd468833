import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { EventType, Page } from '../../client/src/index.ts';
import { COUNTS, type Counts } from '../data/counts.ts';
import { useList } from '../data/list.ts';
import { useEvents } from '../data/live.ts';
import { useRefresh } from '../data/refresh.ts';
import { useCounts } from '../data/use-counts.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Plot } from '../kit/plot/plot.tsx';
import { Time, useNow } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { type Change, inventorySeries, joinChanges, PET_STATUSES } from './inventory-series.ts';
import { texts } from './texts.ts';

const CHANGES = ['pet.created', 'pet.status_changed', 'pet.deleted'] as const satisfies readonly EventType[];

const COLORS = { available: 'good', pending: 'warn', sold: 'soft' } as const;

/** Maximum number of changes to load. Each page costs one request per event type. */
const MAX_CHANGES = 3000;

const changesKey = (type: (typeof CHANGES)[number]) => ['inventory', 'changes', type] as const;

const useChanges = (type: (typeof CHANGES)[number]) => {
  const { petstore } = useSession();
  const list = useList(
    changesKey(type),
    (query) => petstore.events.list({ type, order: 'desc', ...query }) as ReturnType<typeof petstore.list<Change>>,
  );
  return { ...list, hasMore: list.more !== undefined || list.isLoading };
};

const useNewChanges = () => {
  const queries = useQueryClient();
  useEvents(CHANGES, (event) => {
    const change = event as Change;
    queries.setQueryData<InfiniteData<Page<Change>>>(changesKey(change.type), (data) => {
      const [first, ...others] = data?.pages ?? [];
      if (!data || !first || first.items.some(({ id }) => id === change.id)) return data;
      return { ...data, pages: [{ ...first, items: [change, ...first.items] }, ...others] };
    });
  });
};

const Chart = ({ counts }: { counts: Counts }) => {
  const lists = [useChanges('pet.created'), useChanges('pet.status_changed'), useChanges('pet.deleted')];
  useNewChanges();
  const now = useNow(60_000);
  const changes = joinChanges(lists);
  const points = inventorySeries(counts, changes, Math.max(now, Date.now()));
  const error = lists.find((list) => list.error)?.error;
  const mores = lists.flatMap(({ more }) => more ?? []);
  const since = changes.at(-1)?.timestamp;
  if (error) return <ErrorNote error={error} />;
  if (lists.some(({ isLoading, rows }) => isLoading && rows.length === 0)) return <Skeleton lines={8} />;
  if (since === undefined) {
    return <p className="soft">{texts.inventory.none}</p>;
  }
  return (
    <>
      <Plot
        label={texts.inventory.plot}
        times={points.map(({ at }) => at / 1000)}
        lines={PET_STATUSES.map((status) => ({
          label: status,
          color: COLORS[status],
          values: points.map(({ counts }) => counts[status]),
        }))}
        isStepped
        height={200}
      />
      <p className="row soft">
        <span>
          {(mores.length === 0 ? texts.inventory.all : texts.inventory.latest)(changes.length, <Time at={since} />)}
        </span>
        {mores.length > 0 && changes.length < MAX_CHANGES && (
          <Button
            className="small"
            onClick={() => {
              for (const more of mores) more();
            }}
          >
            {common.loadMore}
          </Button>
        )}
      </p>
    </>
  );
};

const InventoryNumbers = () => {
  const { can } = useSession();
  const { data, error, refetch } = useCounts();
  useRefresh(CHANGES, COUNTS);
  if (error) return <ErrorNote error={error} onRetry={() => refetch()} />;
  return (
    <dl className="numbers">
      {PET_STATUSES.map((status) => (
        <div key={status} className={status}>
          <dt>{can('pets:read') ? <Link href={`/pets?status=${status}`}>{status}</Link> : status}</dt>
          <dd>{data?.[status].toLocaleString('en') ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
};

export const Inventory = () => {
  const { can } = useSession();
  const { data } = useCounts();
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    // Navigation inside the console does not scroll to the URL's hash.
    if (location.hash === '#inventory') place.current?.scrollIntoView();
  }, []);
  return (
    <section ref={place} className="card inventory" id="inventory" aria-label={common.inventory}>
      <h2>{common.inventory}</h2>
      <InventoryNumbers />
      {can('events:read') && data && <Chart counts={data} />}
    </section>
  );
};
