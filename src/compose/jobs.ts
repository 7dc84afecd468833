import type { Config } from '../config.ts';
import type { Dispatcher } from '../delivery/dispatcher.ts';
import { forgetEvents } from '../delivery/retire-deliveries.ts';
import { ANSWER_KEPT_MS } from '../idempotency/idempotency.repository.ts';
import type { TrustedClock } from '../kernel/clock-guard.ts';
import type { Job } from '../kernel/job.ts';
import type { Log } from '../kernel/log.ts';
import { FIRST_STORE, SYSTEM_CALL } from '../kernel/operation.ts';
import type { WriteInStore } from '../kernel/write-in-store.ts';
import { expireOrders } from '../resources/orders/expire-orders.ts';
import type { Resets } from '../resources/sandbox/finish-resets.ts';
import { hourOf, USAGE_KEPT_MS } from '../resources/usage/usage.ts';
import { LATEST_RETRY_MS } from '../resources/webhooks/delivery.ts';
import type { Backend } from './backend.ts';
import { createDeletions, inBatches } from './deletions.ts';
import type { Repositories } from './repositories.ts';

const DAY_MS = 86_400_000;

type Flushed = { flush(): Promise<void> };

/** What writes to the database the counts that are kept in memory. Run once more before the database is closed. */
export const createSaveJobs = (limiter: Flushed, counter: Flushed): Job[] => [
  { name: 'save-windows', everyMs: 1000, run: limiter.flush },
  { name: 'save-usage', everyMs: 1000, run: counter.flush },
];

/** What drops the windows of pages that have ended. */
export const createForgetPages = (pageLimiter: Flushed): Job => ({
  name: 'forget-pages',
  everyMs: 1000,
  run: pageLimiter.flush,
});

type Deps = Pick<Backend, 'database' | 'clock' | 'leaderOnly'> & {
  config: Config;
  dispatcher: Pick<Dispatcher, 'wake'>;
  resets: Pick<Resets, 'finishLeft'>;
  log: Log;
  trustedNow: TrustedClock;
};

/** What the service does in the background on its own behalf; the backend adds jobs of its own. */
export const createJobs = (deps: Deps): Job[] => {
  const { database, clock, leaderOnly, config, dispatcher, resets, trustedNow } = deps;
  const { dueOrders, oldEvents, usage: storedUsage } = database.read(FIRST_STORE);
  const writeIn: WriteInStore<Repositories> = (storeId, body) => database.write({ ...SYSTEM_CALL, storeId }, body);
  const finishResets = leaderOnly({ name: 'finish-resets', everyMs: 1000, run: resets.finishLeft });
  const deletion = createDeletions({ ...deps, newestHour: storedUsage.newestHour });
  return [
    // Notices a clock that is wrong only between two deletions.
    { name: 'watch-clock', everyMs: 1000, run: async () => void trustedNow() },
    { name: 'send-webhooks', everyMs: 1000, run: async () => dispatcher.wake() },
    leaderOnly({
      name: 'expire-orders',
      everyMs: 1000,
      run: expireOrders({ now: clock, due: dueOrders, write: writeIn }),
    }),
    leaderOnly({
      name: 'hasten-deliveries',
      everyMs: 60_000,
      run: async () => {
        await inBatches((most) =>
          writeIn(FIRST_STORE, ({ deliveryQueue }) => deliveryQueue.hasten(clock(), clock() + LATEST_RETRY_MS, most)),
        );
      },
    }),
    ...(config.PETSTORE_ENVIRONMENT === 'staging' ? [finishResets] : []),
    deletion({
      name: 'forget-events',
      keptMs: config.PETSTORE_EVENT_DAYS * DAY_MS,
      remove: forgetEvents({ oldest: oldEvents, write: writeIn }),
    }),
    deletion({
      name: 'forget-answers',
      keptMs: ANSWER_KEPT_MS,
      remove: (before) =>
        inBatches((most) => writeIn(FIRST_STORE, ({ keptAnswers }) => keptAnswers.forget(before, most))),
    }),
    deletion({
      name: 'forget-usage',
      keptMs: USAGE_KEPT_MS,
      remove: (before) => inBatches((most) => writeIn(FIRST_STORE, ({ usage }) => usage.forget(hourOf(before), most))),
    }),
  ];
};
