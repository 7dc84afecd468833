import { Link } from 'wouter';
import type { EventType } from '../../client/src/index.ts';
import { useRefresh } from '../data/refresh.ts';
import { Badge } from '../kit/badge.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Countdown, useNow } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { deprecationNeeds, keyNeeds, type Need, orderNeeds, webhookNeeds } from './needs.ts';
import { texts } from './texts.ts';
import { useDeprecations, useKeys, useOldestOrders, useUsages, useWebhooks } from './watched.ts';

const ORDER_EVENTS: EventType[] = ['order.placed', 'order.approved', 'order.cancelled', 'order.expired'];
const WEBHOOK_EVENTS: EventType[] = ['webhook.created', 'webhook.updated', 'webhook.disabled', 'webhook.deleted'];
const KEY_EVENTS: EventType[] = ['key.created', 'key.updated', 'key.revoked', 'key.banned', 'key.unbanned'];

const SHAPES = { warn: '⚠', bad: '✕', plain: '◌' };

const Line = ({ need: { tone, what, until, countdown = 'left', href, action } }: { need: Need }) => (
  <li>
    <Badge tone={tone} shape={SHAPES[tone]}>
      <span className="what">{what}</span>
    </Badge>
    {until && <span className="soft">{texts.needs.countdown[countdown](<Countdown until={until} />)}</span>}
    <Link href={href} aria-label={`${action}: ${what}`}>
      {action}
    </Link>
  </li>
);

export const Needs = () => {
  const { me } = useSession();
  const now = useNow(10_000);
  const [orders, webhooks, keys] = [useOldestOrders(), useWebhooks(), useKeys()];
  const [usages, deprecations] = [useUsages(), useDeprecations()];
  useRefresh(ORDER_EVENTS, ['orders', 'oldest']);
  useRefresh(WEBHOOK_EVENTS, ['webhooks', 'overview']);
  useRefresh(KEY_EVENTS, ['keys', 'overview']);
  const asked = [orders, webhooks, keys, usages, deprecations];
  const needs = [
    ...orderNeeds(orders.data ?? [], now),
    ...webhookNeeds(webhooks.data ?? []),
    ...keyNeeds(keys.data ?? [me], usages.data ?? [], now),
    ...deprecationNeeds(deprecations.data ?? [], now),
  ];
  const error = asked.find((query) => query.error)?.error;
  const isLoading = asked.some(({ isLoading }) => isLoading);
  return (
    <section className="card needs" aria-label={texts.needs.title}>
      <h2>{texts.needs.title}</h2>
      {error && <ErrorNote error={error} />}
      {isLoading && needs.length === 0 ? (
        <Skeleton lines={2} />
      ) : (
        <ul>
          {needs.map((need) => (
            <Line key={need.id} need={need} />
          ))}
        </ul>
      )}
      {!isLoading && !error && needs.length === 0 && <p className="soft">{texts.needs.none}</p>}
    </section>
  );
};
