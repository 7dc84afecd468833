import type { Config } from '../config.ts';
import { attemptDelivery } from '../delivery/attempt-delivery.ts';
import { createDispatcher, type Dispatcher } from '../delivery/dispatcher.ts';
import { fanOutEvents } from '../delivery/fan-out-events.ts';
import { createLeases } from '../delivery/leases.ts';
import { clearWebhooks, forgetEvents, giveUpDeliveries } from '../delivery/retire-deliveries.ts';
import type { Send } from '../delivery/send.ts';
import { ANSWER_KEPT_MS } from '../idempotency/idempotency.repository.ts';
import type { TrustedClock } from '../kernel/clock.ts';
import { type Job, logJobFailure } from '../kernel/job.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { FIRST_STORE } from '../kernel/operation.ts';
import { elapsed } from '../kernel/runtime.ts';
import { expireOrders } from '../resources/orders/expire-orders.ts';
import type { Resets } from '../resources/sandbox/finish-resets.ts';
import { hourOf } from '../resources/usage/counter.ts';
import { USAGE_KEPT_MS } from '../resources/usage/usage.ts';
import { LATEST_RETRY_MS } from '../resources/webhooks/delivery.ts';
import { disableOrphanedWebhooks } from '../resources/webhooks/disable-orphaned-webhooks.ts';
import { createDeletions, inBatches } from '../storage/deletions.ts';
import { VERSION } from '../version.ts';
import { countAttempts } from './metrics.ts';
import { type Backend, writeInStore } from './repositories.ts';

const DAY_MS = 86_400_000;

type WebhookDeps = Pick<Backend, 'database' | 'clock' | 'arrivals' | 'holder' | 'lease'> & {
  send: Send;
  trustedNow: TrustedClock;
  random: () => number;
  log: Log;
  metrics: Metrics;
};

export const composeWebhooks = (deps: WebhookDeps): Dispatcher => {
  const { database, clock } = deps;
  const queue = database.read(FIRST_STORE).deliveryQueue;
  const write = writeInStore(database);
  const { wake, stop } = createDispatcher({
    clock,
    elapsed,
    queue,
    leases: createLeases({ ...deps, write }),
    fanOut: fanOutEvents({ queue, write }),
    giveUp: giveUpDeliveries(write),
    attempt: countAttempts(deps.metrics, attemptDelivery({ ...deps, write, version: VERSION })),
    async clear(isStopped) {
      await disableOrphanedWebhooks({ clock, queue, write });
      await clearWebhooks({ queue, write }, isStopped);
    },
    failed: logJobFailure(deps.log, 'webhooks'),
  });
  const unsubscribe = deps.arrivals.subscribeToAll(wake);
  return {
    wake,
    stop() {
      unsubscribe();
      return stop();
    },
  };
};

type Deps = Pick<Backend, 'database' | 'clock' | 'leaderOnly'> & {
  config: Config;
  dispatcher: Pick<Dispatcher, 'wake'>;
  resets: Pick<Resets, 'finishAbandoned'>;
  log: Log;
  trustedNow: TrustedClock;
};

export const createJobs = (deps: Deps): Job[] => {
  const { database, clock, leaderOnly, config, dispatcher, resets, trustedNow } = deps;
  const { dueOrders, oldEvents, usage: storedUsage } = database.read(FIRST_STORE);
  const write = writeInStore(database);
  const deletion = createDeletions({ ...deps, newestHour: storedUsage.newestHour });
  const finishResets = leaderOnly({ name: 'finish-resets', everyMs: 1000, run: resets.finishAbandoned }, 'resets');
  return [
    // The deletion jobs check the clock only once a minute. This job detects a clock that was wrong between two checks.
    { name: 'watch-clock', everyMs: 1000, run: async () => void trustedNow() },
    { name: 'send-webhooks', everyMs: 1000, run: async () => dispatcher.wake() },
    leaderOnly(
      { name: 'expire-orders', everyMs: 1000, run: expireOrders({ now: clock, due: dueOrders, write }) },
      'orders',
    ),
    leaderOnly({
      name: 'hasten-deliveries',
      everyMs: 60_000,
      run: async () => {
        await inBatches((most) =>
          write(FIRST_STORE, ({ deliveryQueue }) => deliveryQueue.hasten(clock(), clock() + LATEST_RETRY_MS, most)),
        );
      },
    }),
    ...(config.PETSTORE_ENVIRONMENT === 'staging' ? [finishResets] : []),
    deletion({
      name: 'forget-events',
      keptMs: config.PETSTORE_EVENT_DAYS * DAY_MS,
      remove: forgetEvents({ oldest: oldEvents, write }),
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
