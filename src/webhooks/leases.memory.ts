import type { Clock } from '../kernel/clock.ts';
import type { WriteInStore } from '../kernel/write-in-store.ts';
import type { DeliveryQueue, DueEndpoint } from './webhooks.repository.ts';

/** An instance that is gone is succeeded after this. */
const LEASE_MS = 30_000;
/** Longer than an attempt can take: none begins with less left of the lease. */
const RENEWAL_MS = 20_000;

type Deps = {
  clock: Clock;
  write: WriteInStore<{ deliveryQueue: Pick<DeliveryQueue, 'lease'> }>;
  /** In whose name endpoints are leased: one of its own for each of several instances. */
  holder: string;
};

/** The endpoints that this instance sends to. A lease is written when it is taken or about to end, not at each look. */
export const createLeases = ({ clock, write, holder }: Deps) => {
  /** Those that end first come first. */
  const held = new Map<string, { endpoint: DueEndpoint; until: number }>();

  const lease = (endpoint: DueEndpoint, now: number, until: number): Promise<boolean> =>
    write(endpoint.storeId, ({ deliveryQueue }) => deliveryQueue.lease(endpoint, holder, now, until));

  const dropEnded = (now: number): void => {
    for (const [name, { until }] of held) {
      if (until > now) return;
      held.delete(name);
    }
  };

  return {
    /** Whether the endpoint is ours for as long as an attempt takes. */
    async acquire(endpoint: DueEndpoint): Promise<boolean> {
      const now = clock();
      const name = `${endpoint.storeId}/${endpoint.webhookId}`;
      if ((held.get(name)?.until ?? 0) - now >= RENEWAL_MS) return true;
      dropEnded(now);
      const until = now + LEASE_MS;
      const isOurs = await lease(endpoint, now, until);
      held.delete(name);
      if (isOurs) held.set(name, { endpoint, until });
      return isOurs;
    },

    /** Lets others go on at once. */
    async release(): Promise<void> {
      const now = clock();
      dropEnded(now);
      const endpoints = [...held.values()].map(({ endpoint }) => endpoint);
      held.clear();
      await Promise.all(endpoints.map((endpoint) => lease(endpoint, now, now)));
    },
  };
};
