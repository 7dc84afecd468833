import type { Clock } from '../kernel/clock.ts';
import type { WriteInStore } from '../kernel/operation.ts';
import type { DeliveryQueue, DueEndpoint } from '../resources/webhooks/webhooks.repository.ts';
import { hostAndPort } from './host-budget.ts';

/** Duration of a lease, in ms. Another instance takes over from a lost one after this time. */
const LEASE_MS = 30_000;
/** Remaining time at which leases are renewed, in ms. Longer than any attempt, so no attempt outlives its lease. */
const RENEWAL_MS = 20_000;
/** Pause before retrying a lease that is held by another instance, in ms. */
const REFUSED_MS = 500;

/** Takes a lease until `until`. A time in the past releases the lease. */
type Take = (now: number, until: number) => Promise<boolean>;

type Span = { now: number; until: number };

type Deps = {
  clock: Clock;
  write: WriteInStore<{ deliveryQueue: Pick<DeliveryQueue, 'lease'> }>;
  /** Takes a named lease in the cluster until `until`. False if another instance holds it. */
  lease(name: string, until: number): Promise<boolean>;
  /** This instance's name. */
  holder: string;
};

/**
 * Leases the endpoints that this instance sends to. Also leases their hosts, because only one instance may track a
 * host's budget. A lease is written when it is taken or about to expire, not in each pass.
 */
export const createLeases = ({ clock, write, lease, holder }: Deps) => {
  /** Sorted by expiry, except for webhooks whose lease expires with their host's. Those are dropped slightly later. */
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
    // If more time remains than the maximum, the clock was set back.
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
    /** Whether only this instance may send to the endpoint and its host for the duration of an attempt. */
    async acquire(endpoint: DueEndpoint): Promise<boolean> {
      const host = hostAndPort(endpoint.url);
      if (!(await hold(host, (_, until) => lease(`webhooks to ${host}`, until)))) return false;
      const takeEndpoint: Take = (now, until) =>
        write(endpoint.storeId, ({ deliveryQueue }) => deliveryQueue.lease(endpoint, holder, now, until));
      // Expires with the host's lease, so that the next instance for this host does not have to wait.
      return hold(`${endpoint.storeId}/${endpoint.webhookId}`, takeEndpoint, held.get(host)?.until);
    },

    /** Releases all leases, so that other instances can take over immediately. */
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
