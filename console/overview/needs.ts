import type { Backup, Delivery, Deprecation, Key, Usage, Webhook } from '../../client/src/index.ts';
import { isolated } from '../kit/text.ts';
import { isSoon, type OrderRow } from '../orders/moves.ts';
import { common } from '../texts.ts';
import { isFailing } from '../webhooks/outcome.ts';
import { texts as webhookTexts } from '../webhooks/texts.ts';
import type { Host } from './host.ts';
import { texts } from './texts.ts';

export type Need = {
  id: string;
  kind: 'hold' | 'order' | 'webhook' | 'ban' | 'limit' | 'disk' | 'backup' | 'deprecation';
  tone: 'warn' | 'bad' | 'plain';
  what: string;
  detail?: string;
  until?: string | undefined;
  countdown?: keyof typeof texts.needs.countdown;
  href: string;
  action: string;
};

type Names = ReadonlyMap<string, string>;

const NEARLY_FULL = 0.9;

const DAY_MS = 86_400_000;
const URGENT_DAYS = 90;
/** If the removal is further away, only the Keys page lists the deprecated calls. */
const LISTED_DAYS = 180;

export const orderNeeds = (placed: readonly OrderRow[], pets: Names, now: number, most: number): Need[] => {
  const nameOf = (petId: OrderRow['petId']) => pets.get(String(petId)) ?? common.pet(petId);
  const soon = placed.filter((order) => isSoon(order, now));
  const others = placed.filter((order) => !isSoon(order, now));
  const holds = soon.map(({ id, petId, expiresAt }): Need => {
    const link = { href: `/orders?order=${id}`, action: texts.needs.openOrder };
    const words = { what: texts.needs.hold(nameOf(petId)), detail: texts.needs.holdDetail(id) };
    return { id: `hold ${id}`, kind: 'hold', tone: 'bad', ...words, until: expiresAt ?? undefined, ...link };
  });
  const [oldest] = others;
  if (!oldest) return holds;
  const isOne = others.length === 1 && placed.length < most;
  const count = `${others.length}${placed.length >= most ? '+' : ''}`;
  const waiting: Need = {
    id: 'orders waiting',
    kind: 'order',
    tone: 'warn',
    what: texts.needs.waiting(count, isOne, soon.length > 0),
    detail: texts.needs.oldest(nameOf(oldest.petId), isOne),
    href: '/orders',
    action: texts.needs.openOrders,
  };
  return [...holds, waiting];
};

export const deliveryNeeds = (approved: readonly OrderRow[], most: number): Need[] => {
  if (approved.length === 0) return [];
  const count = `${approved.length}${approved.length >= most ? '+' : ''}`;
  const words = { what: texts.needs.ready(count, approved.length === 1), detail: texts.needs.readyDetail };
  return [
    { id: 'orders ready', kind: 'order', tone: 'plain', ...words, href: '/orders', action: texts.needs.openOrders },
  ];
};

export type WatchedWebhook = { webhook: Webhook; latest: readonly Delivery[] };

export const webhookNeeds = (watched: readonly WatchedWebhook[]): Need[] =>
  watched.flatMap(({ webhook: { id, url, enabled, disabledReason }, latest }): Need[] => {
    const { host, pathname } = new URL(url);
    const endpoint = `${host}${pathname}`;
    const place = { id, kind: 'webhook', href: `/webhooks?webhook=${id}`, action: texts.needs.openWebhook } as const;
    if (!enabled) {
      const detail = texts.needs.disabledReason(webhookTexts.reasons[disabledReason ?? 'switched_off']);
      const tone = disabledReason === 'switched_off' ? 'plain' : 'bad';
      return [{ ...place, tone, what: texts.needs.disabledWebhook(endpoint), detail }];
    }
    const failed = { what: texts.needs.failingWebhook(endpoint), detail: texts.needs.failingDetail };
    return isFailing(latest) ? [{ ...place, tone: 'bad', ...failed }] : [];
  });

export const keyNeeds = (
  keys: readonly Pick<Key, 'id' | 'name' | 'bannedUntil' | 'revokedAt'>[],
  usages: readonly Usage[],
  now: number,
): Need[] =>
  keys.flatMap(({ id, name, bannedUntil, revokedAt }): Need[] => {
    const place = { id, href: `/keys?key=${id}`, action: texts.needs.openKey };
    const usage = usages.find(({ keyId }) => keyId === id);
    const until = usage?.bannedUntil ?? bannedUntil;
    if (revokedAt !== null) return [];
    if (until !== null && Date.parse(until) > now) {
      const words = { what: texts.needs.bannedKey(isolated(name)), detail: texts.needs.bannedDetail };
      return [{ ...place, kind: 'ban', tone: 'bad', ...words, until, countdown: 'banEnds' }];
    }
    const full = usage && [usage.day, usage.minute].find(({ used, limit }) => used >= limit * NEARLY_FULL);
    if (!full) return [];
    const share = Math.floor((full.used / full.limit) * 100);
    const what = texts.needs.usedKey(isolated(name), share, full === usage.day ? 'day' : 'minute');
    const detail = texts.needs.usedDetail(full.used, full.limit);
    return [{ ...place, kind: 'limit', tone: 'warn', what, detail, until: full.resetAt, countdown: 'resets' }];
  });

/** One day, plus two hours for making the backup. The alert `PetstoreBackupOld` uses the same value. */
const MAX_BACKUP_SECONDS = 93_600;

export const BACKUP_NEED = 'backup';

export const failedBackupNeeds = ([last]: readonly Pick<Backup, 'state' | 'error'>[]): Need[] => {
  if (last?.state !== 'failed') return [];
  const words = { what: texts.needs.failedBackup, detail: last.error ?? '' };
  return [
    { id: 'failed backup', kind: 'backup', tone: 'bad', ...words, href: '/health', action: texts.needs.openHealth },
  ];
};

export const hostNeeds = ({ freeBytes, neededBytes, backupAgeSeconds }: Host, isProduction: boolean): Need[] => {
  const link = { href: '/health', action: texts.needs.openHealth };
  const needs: Need[] = [];
  if (freeBytes !== undefined && neededBytes !== undefined && freeBytes < neededBytes) {
    const words = { what: texts.needs.disk, detail: texts.needs.diskDetail(freeBytes, neededBytes) };
    needs.push({ id: 'disk', kind: 'disk', tone: 'bad', ...words, ...link });
  }
  // `freeBytes` is defined only on SQLite. The service does not back up a PostgreSQL database, and test data needs no
  // backup.
  if (freeBytes === undefined || !isProduction) return needs;
  if (backupAgeSeconds === undefined) {
    const words = { what: texts.needs.noBackup, detail: texts.needs.noBackupDetail };
    needs.push({ id: BACKUP_NEED, kind: 'backup', tone: 'plain', ...words, ...link });
  } else if (backupAgeSeconds > MAX_BACKUP_SECONDS) {
    const words = { what: texts.needs.oldBackup(backupAgeSeconds / 86_400), detail: texts.needs.oldBackupDetail };
    needs.push({ id: BACKUP_NEED, kind: 'backup', tone: 'warn', ...words, ...link });
  }
  return needs;
};

const daysLeft = ({ sunset, rehearsedDate }: Deprecation, now: number): number =>
  Math.ceil((Date.parse(sunset) - (rehearsedDate === null ? now : Date.parse(rehearsedDate))) / DAY_MS);

export const deprecationNeeds = (deprecations: readonly Deprecation[], keys: Names, now: number): Need[] =>
  deprecations
    .filter((one) => one.keys.length > 0 && daysLeft(one, now) <= LISTED_DAYS)
    .map((one) => {
      const { operation, sunset, keys: callers } = one;
      const days = daysLeft(one, now);
      const names = callers.map(({ keyId }) => keys.get(keyId) ?? keyId);
      return {
        id: `deprecated ${operation}`,
        kind: 'deprecation',
        tone: days <= URGENT_DAYS ? 'bad' : 'plain',
        what: texts.needs.deprecated(names, days),
        detail: texts.needs.deprecatedDetail(operation, sunset),
        href: '/keys',
        action: texts.needs.viewKeys,
      };
    });

const URGENCY = ['bad', 'warn', 'plain'] as const;

export const byUrgency = (needs: readonly Need[]): Need[] =>
  needs.toSorted((one, other) => URGENCY.indexOf(one.tone) - URGENCY.indexOf(other.tone));
