import { attemptDelivery } from '../delivery/attempt-delivery.ts';
import { createDispatcher, type Dispatcher } from '../delivery/dispatcher.ts';
import { fanOutEvents } from '../delivery/fan-out-events.ts';
import { createLeases } from '../delivery/leases.ts';
import { clearWebhooks, giveUpDeliveries } from '../delivery/retire-deliveries.ts';
import type { Send } from '../delivery/send.ts';
import type { Clock } from '../kernel/clock.ts';
import type { TrustedClock } from '../kernel/clock-guard.ts';
import { logJobFailure } from '../kernel/job.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { FIRST_STORE, SYSTEM_CALL } from '../kernel/operation.ts';
import type { WriteInStore } from '../kernel/write-in-store.ts';
import { disableOrphanedWebhooks } from '../resources/webhooks/disable-orphaned-webhooks.ts';
import type { Database } from '../storage/database.ts';
import { VERSION } from '../version.ts';
import type { Backend } from './backend.ts';
import { countAttempts } from './metrics.ts';
import type { Reads, Repositories } from './repositories.ts';

type Deps = {
  database: Database<Reads, Repositories>;
  send: Send;
  clock: Clock;
  trustedNow: TrustedClock;
  random: () => number;
  log: Log;
  metrics: Metrics;
  holder: string;
  lease: Backend['lease'];
};

/** Joins the dispatcher with the database and the network. */
export const composeWebhooks = (deps: Deps): Dispatcher => {
  const { database, clock, log, metrics, holder, lease } = deps;
  const queue = database.read(FIRST_STORE).deliveryQueue;
  const write: WriteInStore<Repositories> = (storeId, body) => database.write({ ...SYSTEM_CALL, storeId }, body);
  return createDispatcher({
    clock,
    stopwatch: () => performance.now(),
    queue,
    leases: createLeases({ clock, write, lease, holder }),
    fanOut: fanOutEvents({ queue, write }),
    giveUp: giveUpDeliveries(write),
    attempt: countAttempts(metrics, attemptDelivery({ ...deps, write, version: VERSION })),
    async clear(isStopped) {
      await disableOrphanedWebhooks({ clock, queue, write });
      await clearWebhooks({ queue, write }, isStopped);
    },
    failed: logJobFailure(log, 'webhooks'),
  });
};
