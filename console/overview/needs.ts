import type { Delivery, Deprecation, Int64, Key, Usage, Webhook } from '../../client/src/index.ts';
import { isolated } from '../kit/text.ts';
import { isSoon, type OrderRow } from '../orders/moves.ts';

/** An item that needs attention, and the page to resolve it. */
export type Need = {
  id: string;
  tone: 'warn' | 'bad' | 'plain';
  what: string;
  until?: string | undefined;
  href: string;
  action: string;
};

/** Share of a rate limit window above which the key is reported. */
const NEARLY_FULL = 0.9;

const DAY_MS = 86_400_000;
const URGENT_DAYS = 90;

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

export const orderNeeds = (placed: readonly OrderRow[], now: number): Need[] =>
  placed
    .filter((order) => isSoon(order, now))
    .map(({ id, expiresAt }) => ({
      id: `order ${id}`,
      tone: 'warn',
      what: `Order ${id} expires unless it is approved`,
      until: expiresAt ?? undefined,
      href: `/orders?order=${id}`,
      action: 'Open the order',
    }));

const REASONS: Record<NonNullable<Webhook['disabledReason']>, string> = {
  gone: 'its endpoint answered 410',
  failing: 'nothing reached its endpoint for five days',
  key_ended: 'its key was revoked or has expired',
  switched_off: 'somebody switched it off',
};

export type WatchedWebhook = { webhook: Webhook; latest: readonly Delivery[] };

/** Failing: none of the latest attempts succeeded. */
const isFailing = (latest: readonly Delivery[]): boolean => {
  const tried = latest.filter(({ attempt }) => attempt > 0);
  return tried.length > 0 && tried.every(({ state }) => state !== 'delivered');
};

export const webhookNeeds = (watched: readonly WatchedWebhook[]): Need[] =>
  watched.flatMap(({ webhook: { id, url, enabled, disabledReason }, latest }): Need[] => {
    const { host } = new URL(url);
    const place = { id, href: `/webhooks?webhook=${id}`, action: 'Open the webhook' };
    if (!enabled) {
      const reason = REASONS[disabledReason ?? 'switched_off'];
      const tone = disabledReason === 'switched_off' ? 'plain' : 'bad';
      return [{ ...place, tone, what: `The webhook to ${host} is off: ${reason}` }];
    }
    return isFailing(latest) ? [{ ...place, tone: 'bad', what: `Nothing reaches the webhook to ${host}` }] : [];
  });

export const keyNeeds = (
  keys: readonly Pick<Key<Int64>, 'id' | 'name' | 'bannedUntil'>[],
  usages: readonly Usage[],
  now: number,
): Need[] =>
  keys.flatMap(({ id, name, bannedUntil }): Need[] => {
    const place = { id, href: `/keys?key=${id}`, action: 'Open the key' };
    const usage = usages.find(({ keyId }) => keyId === id);
    const until = usage?.bannedUntil ?? bannedUntil;
    if (until !== null && Date.parse(until) > now) {
      return [{ ...place, tone: 'bad', what: `The key ${isolated(name)} is banned`, until }];
    }
    const full = usage && [usage.day, usage.minute].find(({ used, limit }) => used >= limit * NEARLY_FULL);
    if (!full) return [];
    const what = `The key ${isolated(name)} has used ${full.used.toLocaleString('en')} of its ${full.limit.toLocaleString('en')} requests a ${full === usage.day ? 'day' : 'minute'}`;
    return [{ ...place, tone: 'warn', what, until: full.resetAt }];
  });

export const deprecationNeeds = (deprecations: readonly Deprecation[], now: number): Need[] =>
  deprecations
    .filter(({ keys }) => keys.length > 0)
    .map(({ operation, sunset, rehearsedDate, keys }) => {
      const judgedAt = rehearsedDate === null ? now : Date.parse(rehearsedDate);
      const days = Math.ceil((Date.parse(sunset) - judgedAt) / DAY_MS);
      const end = days > 0 ? `is removed in ${plural(days, 'day')}` : 'is removed';
      return {
        id: `deprecated ${operation}`,
        tone: days <= URGENT_DAYS ? 'bad' : 'plain',
        what: `${operation} ${end}, and ${plural(keys.length, 'key')} still ${keys.length === 1 ? 'calls' : 'call'} it`,
        href: '/keys',
        action: 'See who',
      };
    });
