import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useSearchParams } from 'wouter';
import type { Delivery, Webhook } from '../../client/src/index.ts';
import { useList } from '../data/list.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { sayError } from '../kit/overlay/toasts.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { useNow } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { isWaiting } from './attempts.tsx';
import { useDeliveredEvents } from './delivered-events.ts';
import { DeliveryRow } from './delivery-row.tsx';
import { useLatest } from './health.tsx';
import { texts } from './texts.ts';
import { healthKey, logKey, MAX_LATEST } from './webhook-cache.ts';

const DUE_MS = 2000;
const QUIET_MS = 10_000;
/** A list with more rows than this is not refreshed automatically, because each page costs a request. */
const ONE_PAGE = 100;

const isDue = ({ state, nextAttemptAt }: Delivery): boolean =>
  state === 'pending' && (nextAttemptAt === null || Date.parse(nextAttemptAt) - Date.now() < DUE_MS);

/**
 * The service sends no events about delivery attempts, so the console polls. The webhook's status and summary are
 * computed from the same rows, so that they agree with the list.
 */
const useRefresh = (id: string, { rows, updatedAt }: ReturnType<typeof useList<Delivery>>): void => {
  const queries = useQueryClient();
  const { dataUpdatedAt } = useLatest(id);
  const look = useEffectEvent(() => {
    if (rows.length > ONE_PAGE) return;
    void queries.invalidateQueries({ queryKey: logKey(id) }, { cancelRefetch: false });
  });
  useEffect(() => {
    if (updatedAt === 0 || rows.length > ONE_PAGE) return;
    if ((queries.getQueryState(healthKey(id))?.dataUpdatedAt ?? 0) > updatedAt) return;
    queries.setQueryData(healthKey(id), rows.slice(0, MAX_LATEST), { updatedAt });
  }, [queries, id, rows, updatedAt]);
  useEffect(() => {
    if (updatedAt > 0 && dataUpdatedAt > updatedAt) look();
  }, [dataUpdatedAt, updatedAt]);
  const everyMs = rows.some(isDue) ? DUE_MS : QUIET_MS;
  useEffect(() => {
    const timer = setInterval(() => look(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
};

export const DeliveryLog = ({ of }: { of: Webhook }) => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const log = useList<Delivery>(logKey(of.id), (query) =>
    petstore.webhooks.deliveries(of.id, { ...query, order: 'desc' }),
  );
  useRefresh(of.id, log);
  const eventOf = useDeliveredEvents(log.rows);
  const now = useNow(5000);
  const redeliver = useMutation({
    mutationFn: (id: string) => petstore.webhooks.redeliver(of.id, id),
    onError: sayError,
    onSuccess: () => queries.invalidateQueries({ queryKey: logKey(of.id) }),
  });
  const opened = search.get('delivery');
  const show = (id: string | null) =>
    setSearch({ webhook: of.id, ...(id === null ? {} : { delivery: id }) }, { replace: true });
  if (log.error) return <ErrorNote error={log.error} onRetry={log.retry} />;
  return (
    <div className="stack">
      {log.rows.some((delivery) => isWaiting(delivery, now)) && <p className="soft">{texts.deliveries.pausing}</p>}
      <ol className="items log" aria-label={texts.deliveries.title}>
        {log.rows.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            of={of}
            delivery={delivery}
            event={eventOf(delivery)}
            isOpen={delivery.id === opened}
            onToggle={() => show(delivery.id === opened ? null : delivery.id)}
            isBusy={redeliver.isPending && redeliver.variables === delivery.id}
            onRedeliver={of.enabled ? () => redeliver.mutate(delivery.id) : undefined}
          />
        ))}
      </ol>
      {log.isLoading && <Skeleton lines={4} />}
      {!log.isLoading && log.rows.length === 0 && <p className="soft">{texts.deliveries.none}</p>}
      {log.more && <Button onClick={log.more}>{common.loadMore}</Button>}
    </div>
  );
};
