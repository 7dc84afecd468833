import { CalendarClock, ChevronRight, Gauge, KeyRound, Timer, Webhook } from 'lucide-react';
import { Link } from 'wouter';
import type { EventType } from '../../client/src/index.ts';
import { useRefresh } from '../data/refresh.ts';
import { Badge, SHAPES } from '../kit/badge.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Panel } from '../kit/panel.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Countdown, useNow } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { deprecationNeeds, keyNeeds, type Need, orderNeeds, webhookNeeds } from './needs.ts';
import { texts } from './texts.ts';
import { useDeprecations, useKeys, useOldestOrders, useUsages, useWebhooks } from './watched.ts';

const ORDER_EVENTS: EventType[] = ['order.placed', 'order.approved', 'order.cancelled', 'order.expired'];
const WEBHOOK_EVENTS: EventType[] = ['webhook.created', 'webhook.updated', 'webhook.disabled', 'webhook.deleted'];
const KEY_EVENTS: EventType[] = ['key.created', 'key.updated', 'key.revoked', 'key.banned', 'key.unbanned'];

const ICONS = { order: Timer, webhook: Webhook, ban: KeyRound, limit: Gauge, deprecation: CalendarClock };

const Line = ({ need: { kind, tone, what, until, countdown = 'left', href, action } }: { need: Need }) => {
  const Icon = ICONS[kind];
  return (
    <li>
      <span className={`tile ${tone}`}>
        <Icon className="icon" />
      </span>
      <div>
        <p>{what}</p>
        {until && <p className="soft">{texts.needs.countdown[countdown](<Countdown until={until} />)}</p>}
      </div>
      <Link className="button small" href={href} aria-label={`${action}: ${what}`}>
        <span className="wide">{action}</span>
        <ChevronRight className="icon narrow" />
      </Link>
    </li>
  );
};

const Nothing = () => (
  <p className="nothing">
    <SHAPES.check className="icon" />
    {texts.needs.none}
  </p>
);

const useNeeds = () => {
  const { me } = useSession();
  const now = useNow(10_000);
  const [orders, webhooks, keys] = [useOldestOrders(), useWebhooks(), useKeys()];
  const [usages, deprecations] = [useUsages(), useDeprecations()];
  useRefresh(ORDER_EVENTS, ['orders', 'oldest']);
  useRefresh(WEBHOOK_EVENTS, ['webhooks', 'overview']);
  useRefresh(KEY_EVENTS, ['keys', 'overview']);
  const asked = [orders, webhooks, keys, usages, deprecations];
  return {
    needs: [
      ...orderNeeds(orders.data ?? [], now),
      ...webhookNeeds(webhooks.data ?? []),
      ...keyNeeds(keys.data ?? [me], usages.data ?? [], now),
      ...deprecationNeeds(deprecations.data ?? [], now),
    ],
    error: asked.find((query) => query.error)?.error,
    isLoading: asked.some(({ isLoading }) => isLoading),
  };
};

export const Needs = () => {
  const { needs, error, isLoading } = useNeeds();
  return (
    <Panel title={texts.needs.title} count={needs.length > 0 && <Badge tone="warn">{needs.length}</Badge>} isFlush>
      {error && <ErrorNote error={error} />}
      {isLoading && needs.length === 0 && (
        <div className="inside">
          <Skeleton lines={3} />
        </div>
      )}
      {needs.length > 0 && (
        <ul className="needs">
          {needs.map((need) => (
            <Line key={need.id} need={need} />
          ))}
        </ul>
      )}
      {!isLoading && !error && needs.length === 0 && <Nothing />}
    </Panel>
  );
};
