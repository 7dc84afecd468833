import type { Clock } from '../kernel/clock.ts';
import type { WriteInStore } from '../kernel/operation.ts';
import type { DeliveryQueue, DueEndpoint } from '../resources/webhooks/webhooks.repository.ts';
import { hostAndPort } from './host-budget.ts';

/** A lost instance is replaced after this. */
const LEASE_MS = 30_000;
/** Longer than an attempt can take: no attempt begins with less left of the lease. */
const RENEWAL_MS = 20_000;
/** A lease of another instance is asked for again after this. */
const REFUSED_MS = 500;

/** Takes a lease until then, or returns it with an end that has passed. */
type Take = (now: number, until: number) => Promise<boolean>;

type Span = { now: number; until: number };

type Deps = {
  clock: Clock;
  write: WriteInStore<{ deliveryQueue: Pick<DeliveryQueue, 'lease'> }>;
  /** Takes a name in the cluster until then; false if another instance has it. */
  lease(name: string, until: number): Promise<boolean>;
  /** The name of this instance. */
  holder: string;
};

/**
 * Leases the endpoints that this instance sends to, and their hosts, so that one instance alone counts the budget of a
 * host. A lease is written when it is taken or about to end, not at each look.
 */
export const createLeases = ({ clock, write, lease, holder }: Deps) => {
  /** Ordered by end, except webhooks that end with their host: they are dropped a little later. */
  const held = new Map<string, { take: Take; until: number }>();
  const refusedUntil = new Map<string, number>();
  const asking = new Map<string, Promise<boolean>>();

  const dropEnded = (now: number): void => {
    for (const [name, { until }] of held) {
      if (until > now) break;
      held.delete(name);
    }
    for (const [name, until] of refusedUntil) if (until <= now) refusedUntil.delete(name);
  };

  const take = async (name: string, { now, until }: Span, take: Take): Promise<boolean> => {
    dropEnded(now);
    const isOurs = await take(now, until);
    held.delete(name);
    if (isOurs) held.set(name, { take, until });
    else refusedUntil.set(name, now + REFUSED_MS);
    return isOurs;
  };

  const hold = (name: string, how: Take, longest = Number.POSITIVE_INFINITY): boolean | Promise<boolean> => {
    const now = clock();
    // An entry that lasts longer than the maximum was made before the clock was set back.
    const heldMs = (held.get(name)?.until ?? 0) - now;
    if (heldMs >= RENEWAL_MS && heldMs <= LEASE_MS) return true;
    const refusal = refusedUntil.get(name) ?? 0;
    if (refusal > now && refusal - now <= REFUSED_MS) return false;
    const span = { now, until: Math.min(now + LEASE_MS, longest) };
    const asked = asking.get(name) ?? take(name, span, how).finally(() => asking.delete(name));
    asking.set(name, asked);
    return asked;
  };

  return {
    /** Whether this instance alone sends to the endpoint and its host, for as long as an attempt takes. */
    async acquire(endpoint: DueEndpoint): Promise<boolean> {
      const host = hostAndPort(endpoint.url);
      if (!(await hold(host, (_, until) => lease(`webhooks to ${host}`, until)))) return false;
      const takeEndpoint: Take = (now, until) =>
        write(endpoint.storeId, ({ deliveryQueue }) => deliveryQueue.lease(endpoint, holder, now, until));
      // Ends with the lease of its host: an instance that takes the host over must not wait for it.
      return hold(`${endpoint.storeId}/${endpoint.webhookId}`, takeEndpoint, held.get(host)?.until);
    },

    /** Lets other instances take over immediately. */
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
