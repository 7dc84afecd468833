import type { Delivery, Deprecation, Key, Usage, Webhook } from '../../client/src/index.ts';
import { isolated } from '../kit/text.ts';
import { isSoon, type OrderRow } from '../orders/moves.ts';
import { texts as webhookTexts } from '../webhooks/texts.ts';
import { texts } from './texts.ts';

export type Need = {
  id: string;
  kind: 'order' | 'webhook' | 'ban' | 'limit' | 'deprecation';
  tone: 'warn' | 'bad' | 'plain';
  what: string;
  until?: string | undefined;
  countdown?: keyof typeof texts.needs.countdown;
  href: string;
  action: string;
};

const NEARLY_FULL = 0.9;

const DAY_MS = 86_400_000;
const URGENT_DAYS = 90;

export const orderNeeds = (placed: readonly OrderRow[], now: number): Need[] =>
  placed
    .filter((order) => isSoon(order, now))
    .map(({ id, expiresAt }) => ({
      id: `order ${id}`,
      kind: 'order',
      tone: 'warn',
      what: texts.needs.order(id),
      until: expiresAt ?? undefined,
      href: `/orders?order=${id}`,
      action: texts.needs.openOrder,
    }));

export type WatchedWebhook = { webhook: Webhook; latest: readonly Delivery[] };

const isFailing = (latest: readonly Delivery[]): boolean => {
  const tried = latest.filter(({ attempt }) => attempt > 0);
  return tried.length > 0 && tried.every(({ state }) => state !== 'delivered');
};

export const webhookNeeds = (watched: readonly WatchedWebhook[]): Need[] =>
  watched.flatMap(({ webhook: { id, url, enabled, disabledReason }, latest }): Need[] => {
    const { host } = new URL(url);
    const place = { id, kind: 'webhook', href: `/webhooks?webhook=${id}`, action: texts.needs.openWebhook } as const;
    if (!enabled) {
      const reason = webhookTexts.reasons[disabledReason ?? 'switched_off'];
      const tone = disabledReason === 'switched_off' ? 'plain' : 'bad';
      return [{ ...place, tone, what: texts.needs.disabledWebhook(host, reason) }];
    }
    return isFailing(latest) ? [{ ...place, tone: 'bad', what: texts.needs.failingWebhook(host) }] : [];
  });

export const keyNeeds = (
  keys: readonly Pick<Key, 'id' | 'name' | 'bannedUntil'>[],
  usages: readonly Usage[],
  now: number,
): Need[] =>
  keys.flatMap(({ id, name, bannedUntil }): Need[] => {
    const place = { id, href: `/keys?key=${id}`, action: texts.needs.openKey };
    const usage = usages.find(({ keyId }) => keyId === id);
    const until = usage?.bannedUntil ?? bannedUntil;
    if (until !== null && Date.parse(until) > now) {
      const what = texts.needs.bannedKey(isolated(name));
      return [{ ...place, kind: 'ban', tone: 'bad', what, until, countdown: 'banEnds' }];
    }
    const full = usage && [usage.day, usage.minute].find(({ used, limit }) => used >= limit * NEARLY_FULL);
    if (!full) return [];
    const window = full === usage.day ? 'day' : 'minute';
    const what = texts.needs.usedKey(isolated(name), full.used, full.limit, window);
    return [{ ...place, kind: 'limit', tone: 'warn', what, until: full.resetAt, countdown: 'resets' }];
  });

export const deprecationNeeds = (deprecations: readonly Deprecation[], now: number): Need[] =>
  deprecations
    .filter(({ keys }) => keys.length > 0)
    .map(({ operation, sunset, rehearsedDate, keys }) => {
      const judgedAt = rehearsedDate === null ? now : Date.parse(rehearsedDate);
      const days = Math.ceil((Date.parse(sunset) - judgedAt) / DAY_MS);
      return {
        id: `deprecated ${operation}`,
        kind: 'deprecation',
        tone: days <= URGENT_DAYS ? 'bad' : 'plain',
        what: texts.needs.deprecated(operation, days, keys.length),
        href: '/keys',
        action: texts.needs.viewKeys,
      };
    });
