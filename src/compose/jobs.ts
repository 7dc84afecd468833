import { attemptDelivery } from '../delivery/attempt-delivery.ts';
import { createDispatcher, type Dispatcher } from '../delivery/dispatcher.ts';
import { fanOutEvents } from '../delivery/fan-out-events.ts';
import { clearWebhooks, forgetEvents, hastenDeliveries } from '../delivery/retire-deliveries.ts';
import type { Send } from '../delivery/send.ts';
import { ANSWER_KEPT_MS } from '../idempotency/idempotency.repository.ts';
import { type Job, logJobFailure } from '../kernel/job.ts';
import { FIRST_STORE } from '../kernel/operation.ts';
import { DAY_MS, elapsed, type TrustedClock } from '../kernel/runtime.ts';
import { expireOrders } from '../resources/orders/expire-orders.ts';
import type { Resets } from '../resources/sandbox/finish-resets.ts';
import { hourOf } from '../resources/usage/counter.ts';
import { USAGE_KEPT_MS } from '../resources/usage/usage.ts';
import { disableOrphanedWebhooks } from '../resources/webhooks/disable-orphaned-webhooks.ts';
import type { DueDelivery, DueEndpoint } from '../resources/webhooks/webhooks.repository.ts';
import { createDeletions, inBatches } from '../storage/deletions.ts';
import { VERSION } from '../version.ts';
import { countAttempts } from './metrics.ts';
import { type Backend, type BackendDeps, writeInStore } from './repositories.ts';

type WebhookDeps = Pick<Backend, 'database' | 'clock' | 'arrivals' | 'keyChanges' | 'isLeader'> &
  Pick<BackendDeps, 'log' | 'metrics'> & { send: Send; trustedNow: TrustedClock; random: () => number };

export const composeWebhooks = (deps: WebhookDeps): Dispatcher => {
  const { database, clock, isLeader, metrics } = deps;
  const queue = database.read(FIRST_STORE).deliveryQueue;
  const write = writeInStore(database);
  const failed = logJobFailure(deps.log, 'webhooks');
  const shared = {
    fanOut: async (_storeId: bigint | undefined) => false,
    claim: ({ storeId }: DueEndpoint, ids: readonly string[]) => write(storeId, ({ webhooks }) => webhooks.claim(ids)),
    release: ({ storeId }: DueEndpoint, delivery: DueDelivery) =>
      write(storeId, ({ webhooks }) => webhooks.release(delivery)),
  };
  const sole: typeof shared = {
    fanOut: fanOutEvents({ queue, write }),
    claim: async (_, ids) => [...ids],
    release: async () => undefined,
  };
  const engine = queue.isShared ? shared : sole;
  const { wake, stop } = createDispatcher({
    clock,
    elapsed,
    queue,
    isLeader,
    ...engine,
    settle: (storeId) => write(storeId, ({ webhooks }) => webhooks.settle()),
    giveUp: ({ storeId }, hidden) =>
      write(storeId, async ({ webhooks }) => {
        for (const { delivery, reason } of hidden) await webhooks.giveUp(delivery, reason);
      }),
    attempt: countAttempts(metrics, attemptDelivery({ ...deps, ...engine, write, version: VERSION })),
    clear: (isStopped) => clearWebhooks(queue, write, isStopped),
    failed,
  });
  const disableOrphans = disableOrphanedWebhooks({ clock, queue, write });
  let disabling = Promise.resolve();
  const disableOf = (keyId: string): void => {
    if (isLeader()) disabling = disabling.then(() => disableOrphans(keyId)).catch(failed);
  };
  const subscriptions = [deps.arrivals.subscribeToDeliveries(wake), deps.keyChanges.subscribe(disableOf)];
  return {
    wake,
    async stop() {
      for (const unsubscribe of subscriptions) unsubscribe();
      await Promise.all([stop(), disabling]);
    },
  };
};

type Deps = Pick<Backend, 'database' | 'clock' | 'leaderOnly'> &
  Pick<BackendDeps, 'config' | 'log'> & {
    dispatcher: Pick<Dispatcher, 'wake'>;
    resets: Pick<Resets, 'finishAbandoned'>;
    trustedNow: TrustedClock;
  };

export const createJobs = (deps: Deps): Job[] => {
  const { database, clock, leaderOnly, config, dispatcher, resets, trustedNow } = deps;
  const { deliveryQueue: queue, dueOrders, oldEvents, usage: storedUsage } = database.read(FIRST_STORE);
  const write = writeInStore(database);
  const disableOrphans = disableOrphanedWebhooks({ clock, queue, write });
  const deletion = createDeletions({ ...deps, newestHour: storedUsage.newestHour });
  const finishResets = leaderOnly({ name: 'finish-resets', everyMs: 1000, run: resets.finishAbandoned }, 'resets');
  return [
    // The deletion jobs check the clock only once a minute, so they could miss a clock error that lasts a few seconds.
    { name: 'watch-clock', everyMs: 1000, run: async () => void trustedNow() },
    leaderOnly({ name: 'send-webhooks', everyMs: 1000, run: async () => dispatcher.wake() }, 'webhooks'),
    leaderOnly(
      { name: 'expire-orders', everyMs: 1000, run: expireOrders({ now: clock, due: dueOrders, write }) },
      'orders',
    ),
    leaderOnly({ name: 'disable-orphans', everyMs: 60_000, run: () => disableOrphans() }),
    leaderOnly({ name: 'hasten-deliveries', everyMs: 60_000, run: () => hastenDeliveries(clock, queue, write) }),
    ...(config.PETSTORE_ENVIRONMENT === 'staging' ? [finishResets] : []),
    deletion({
      name: 'forget-events',
      keptMs: config.PETSTORE_EVENT_DAYS * DAY_MS,
      remove: forgetEvents(oldEvents, write),
    }),
    deletion({
      name: 'forget-answers',
      keptMs: ANSWER_KEPT_MS,
      remove: (before) =>
        inBatches((most) => write(FIRST_STORE, ({ keptAnswers }) => keptAnswers.forget(before, most))),
    }),
    deletion({
      name: 'forget-usage',
      keptMs: USAGE_KEPT_MS,
      remove: (before) => inBatches((most) => write(FIRST_STORE, ({ usage }) => usage.forget(hourOf(before), most))),
    }),
  ];
};
