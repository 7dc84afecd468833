import {
  CalendarClock,
  ChevronRight,
  DatabaseBackup,
  Gauge,
  HardDrive,
  KeyRound,
  ShoppingBag,
  Timer,
  Webhook,
} from 'lucide-react';
import { Link } from 'wouter';
import type { EventType } from '../../client/src/index.ts';
import { useRefresh } from '../data/refresh.ts';
import { useBackups } from '../data/use-backups.ts';
import { useKeys } from '../data/use-key-names.ts';
import { BackUpNow } from '../health/back-up-now.tsx';
import { Badge, SHAPES } from '../kit/badge.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Panel } from '../kit/panel.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { isolated } from '../kit/text.ts';
import { Countdown, useNow } from '../kit/time.tsx';
import { ENVIRONMENT, useSession } from '../session/session.ts';
import {
  BACKUP_NEED,
  byUrgency,
  deliveryNeeds,
  deprecationNeeds,
  failedBackupNeeds,
  hostNeeds,
  keyNeeds,
  type Need,
  orderNeeds,
  webhookNeeds,
} from './needs.ts';
import { texts } from './texts.ts';
import { MOST, useDeprecations, useHost, useOpenOrders, usePetNames, useUsages, useWebhooks } from './watched.ts';

const WEBHOOK_EVENTS: EventType[] = ['webhook.created', 'webhook.updated', 'webhook.disabled', 'webhook.deleted'];
const KEY_EVENTS: EventType[] = ['key.created', 'key.updated', 'key.revoked', 'key.banned', 'key.unbanned'];

const ICONS = {
  hold: Timer,
  order: ShoppingBag,
  webhook: Webhook,
  ban: KeyRound,
  limit: Gauge,
  disk: HardDrive,
  backup: DatabaseBackup,
  deprecation: CalendarClock,
};

const Line = ({ need: { id, kind, tone, what, detail, until, countdown = 'left', href, action } }: { need: Need }) => {
  const { can } = useSession();
  const Icon = ICONS[kind];
  return (
    <li>
      <span className={`tile ${tone}`}>
        <Icon className="icon" />
      </span>
      <div>
        <p>{what}</p>
        <p className="soft">
          {detail} {until && texts.needs.countdown[countdown](<Countdown until={until} />)}
        </p>
      </div>
      {id === BACKUP_NEED && can('keys:write') ? (
        <BackUpNow />
      ) : (
        <Link className="button small" href={href} aria-label={`${action}: ${what}`}>
          <span className="wide">{action}</span>
          <ChevronRight className="icon narrow" />
        </Link>
      )}
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
  const [orders, approved] = [useOpenOrders('placed'), useOpenOrders('approved')];
  const [webhooks, keys] = [useWebhooks(), useKeys()];
  const [usages, deprecations, host, backups] = [useUsages(), useDeprecations(), useHost(), useBackups()];
  const pets = usePetNames((orders.data ?? []).map(({ petId }) => petId));
  const keyNames = new Map([me, ...(keys.data ?? [])].map(({ id, name }) => [id, isolated(name)]));
  useRefresh(WEBHOOK_EVENTS, ['webhooks', 'overview']);
  useRefresh(KEY_EVENTS, ['keys', 'overview']);
  const asked = [orders, approved, webhooks, keys, usages, deprecations];
  return {
    needs: byUrgency([
      ...orderNeeds(orders.data ?? [], pets, now, MOST),
      ...deliveryNeeds(approved.data ?? [], MOST),
      ...webhookNeeds(webhooks.data),
      ...keyNeeds(keys.data ?? [me], usages.data ?? [], now),
      ...failedBackupNeeds(backups.data ?? []),
      ...(host.data ? hostNeeds(host.data, ENVIRONMENT === 'production') : []),
      ...deprecationNeeds(deprecations.data ?? [], keyNames, now),
    ]),
    error: asked.find((query) => query.error)?.error,
    isLoading: asked.some(({ isLoading }) => isLoading),
  };
};

export const Needs = () => {
  const { needs, error, isLoading } = useNeeds();
  return (
    <Panel title={texts.needs.title} count={needs.length > 0 && <Badge tone="warn">{needs.length}</Badge>} isFlush>
      {error && <ErrorNote error={error} isRead />}
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
