import type { Clock } from '../kernel/clock.ts';
import type { WriteInStore } from '../kernel/operation.ts';
import type { DeliveryQueue, DueEndpoint } from '../resources/webhooks/webhooks.repository.ts';
import { hostAndPort } from './host-budget.ts';

/** Duration of a lease, in ms. If an instance fails, another instance takes over its endpoints after this time. */
const LEASE_MS = 30_000;
/** A lease with less time left than this, in ms, is renewed. Every attempt is shorter, so none outlives its lease. */
const RENEWAL_MS = 20_000;
const REFUSED_MS = 500;

/** Takes a lease until `until`. If `until` is not in the future, the lease is released. */
type Take = (now: number, until: number) => Promise<boolean>;

type Span = { now: number; until: number };

type Deps = {
  clock: Clock;
  write: WriteInStore<{ deliveryQueue: Pick<DeliveryQueue, 'lease'> }>;
  lease(name: string, until: number): Promise<boolean>;
  holder: string;
};

/**
 * Leases the endpoints that this instance sends to. Also leases their hosts, because only one instance may track a
 * host's budget. A lease is written only when it is taken or renewed, not on every pass.
 */
export const createLeases = ({ clock, write, lease, holder }: Deps) => {
  /** Sorted by expiry, except that an endpoint lease may end early with its host's lease, and is then removed late. */
  const held = new Map<string, { take: Take; until: number }>();
  const refusedUntil = new Map<string, number>();
  const requests = new Map<string, Promise<boolean>>();

  const dropEnded = (now: number): void => {
    for (const [name, { until }] of held) {
      if (until > now) break;
      held.delete(name);
    }
    for (const [name, until] of refusedUntil) if (until <= now) refusedUntil.delete(name);
  };

  const request = async (name: string, { now, until }: Span, take: Take): Promise<boolean> => {
    dropEnded(now);
    const isOurs = await take(now, until);
    held.delete(name);
    if (isOurs) held.set(name, { take, until });
    else refusedUntil.set(name, now + REFUSED_MS);
    return isOurs;
  };

  const hold = (name: string, take: Take, longest = Number.POSITIVE_INFINITY): boolean | Promise<boolean> => {
    const now = clock();
    // If more time remains than `LEASE_MS`, the clock was set back, and the lease is taken again.
    const heldMs = (held.get(name)?.until ?? 0) - now;
    if (heldMs >= RENEWAL_MS && heldMs <= LEASE_MS) return true;
    const refusal = refusedUntil.get(name) ?? 0;
    if (refusal > now && refusal - now <= REFUSED_MS) return false;
    const span = { now, until: Math.min(now + LEASE_MS, longest) };
    const pending = requests.get(name) ?? request(name, span, take).finally(() => requests.delete(name));
    requests.set(name, pending);
    return pending;
  };

  return {
    async acquire(endpoint: DueEndpoint): Promise<boolean> {
      const host = hostAndPort(endpoint.url);
      if (!(await hold(host, (_, until) => lease(`webhooks to ${host}`, until)))) return false;
      const takeEndpoint: Take = (now, until) =>
        write(endpoint.storeId, ({ deliveryQueue }) => deliveryQueue.lease(endpoint, holder, now, until));
      // This lease ends with the host's lease, so that another instance can take over both at the same time.
      return hold(`${endpoint.storeId}/${endpoint.webhookId}`, takeEndpoint, held.get(host)?.until);
    },

    async release(): Promise<void> {
      const now = clock();
      dropEnded(now);
      const takes = [...held.values()];
      held.clear();
      await Promise.all(takes.map(({ take }) => take(now, now)));
    },
  };
};

export type Leases = ReturnType<typeof createLeases>;
