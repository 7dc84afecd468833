import type { Config } from '../config.ts';
import { forgetAnswers } from '../idempotency/forget-answers.ts';
import type { Job } from '../kernel/job.ts';
import { FIRST_STORE, SYSTEM_CALL } from '../kernel/operation.ts';
import type { WriteInStore } from '../kernel/write-in-store.ts';
import { expireOrders } from '../orders/expire-orders.ts';
import type { Resets } from '../sandbox/finish-resets.ts';
import type { Dispatcher } from '../webhooks/dispatcher.memory.ts';
import { forgetEvents } from '../webhooks/forget-events.ts';
import type { Backend } from './backend.ts';
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
};

/** What the service does in the background on its own behalf; the backend adds jobs of its own. */
export const createJobs = ({ database, clock, leaderOnly, config, dispatcher, resets }: Deps): Job[] => {
  const { dueOrders, oldEvents } = database.read(FIRST_STORE);
  const writeIn: WriteInStore<Repositories> = (storeId, body) => database.write({ ...SYSTEM_CALL, storeId }, body);
  const finishResets = leaderOnly({ name: 'finish-resets', everyMs: 1000, run: resets.finishLeft });
  return [
    { name: 'send-webhooks', everyMs: 1000, run: async () => dispatcher.wake() },
    leaderOnly({
      name: 'expire-orders',
      everyMs: 1000,
      run: expireOrders({ now: clock, due: dueOrders, write: writeIn }),
    }),
    ...(config.PETSTORE_ENVIRONMENT === 'staging' ? [finishResets] : []),
    leaderOnly({
      name: 'forget-events',
      everyMs: 60_000,
      run: forgetEvents({
        before: () => clock() - config.PETSTORE_EVENT_DAYS * DAY_MS,
        oldest: oldEvents,
        write: writeIn,
      }),
    }),
    leaderOnly({
      name: 'forget-answers',
      everyMs: 10_000,
      run: forgetAnswers({ now: clock, write: (body) => writeIn(FIRST_STORE, body) }),
    }),
  ];
};
