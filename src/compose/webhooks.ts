import type { Database } from '../database/database.ts';
import { toEventBody } from '../events/event.ts';
import type { Clock } from '../kernel/clock.ts';
import { explainError, type Log } from '../kernel/log.ts';
import { FIRST_STORE, SYSTEM_CALL } from '../kernel/operation.ts';
import { VERSION } from '../version.ts';
import { clearWebhooks } from '../webhooks/clear-webhooks.ts';
import { createDispatcher } from '../webhooks/dispatcher.memory.ts';
import { createLeases } from '../webhooks/leases.memory.ts';
import { recordAttempt } from '../webhooks/record-attempt.ts';
import type { Send } from '../webhooks/send.ts';
import { signatureHeaders } from '../webhooks/signature.ts';
import type { Reads, Repositories } from './repositories.ts';

/** How long the end of the process waits for answers of receivers. */
const PATIENCE_MS = 1000;
/** The most rows that one commit writes are the product: others wait for it. */
const EVENTS_AT_ONCE = 50;
const WEBHOOKS_AT_ONCE = 20;

/** Between two looks that find nothing to send. An event is told later by this at most. */
const PAUSE_MS = 20;

type Deps = {
  database: Database<Reads, Repositories>;
  send: Send;
  clock: Clock;
  random: () => number;
  log: Log;
  /** In whose name endpoints are leased: one of its own for each of several instances. */
  holder: string;
};

export type Dispatcher = {
  /** Looks for something to send, in one store or in all; in all also for what is to be cleared. */
  wake(storeId?: bigint): void;
  /** Sends nothing more, and waits a little for what is on its way. */
  stop(): Promise<void>;
};

/** Joins the dispatcher with the database and the network. */
export const composeWebhooks = ({ database, send, clock, random, log, holder }: Deps): Dispatcher => {
  const queue = database.read(FIRST_STORE).deliveryQueue;
  const inStore = <Result>(storeId: bigint, body: (repositories: Repositories) => Promise<Result>) =>
    database.write({ ...SYSTEM_CALL, storeId }, body);

  const noteError = (error: unknown) => log.error('job_failed', { job: 'webhooks', error: explainError(error) });
  const leases = createLeases({
    clock,
    lease: (endpoint, now, until) =>
      inStore(endpoint.storeId, ({ deliveryQueue }) => deliveryQueue.lease(endpoint, holder, now, until)),
  });

  const cutOffs = new Set<() => void>();
  /** Resolves with undefined if the end of the process comes first. */
  const unlessStopped = <Result>(work: Promise<Result>) =>
    new Promise<Result | undefined>((resolve, reject) => {
      const cutOff = () => resolve(undefined);
      cutOffs.add(cutOff);
      work.then(resolve, reject).finally(() => cutOffs.delete(cutOff));
    });

  const dispatcher = createDispatcher({
    clock,
    failed: noteError,
    pause: () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)),

    async fanOut(storeId) {
      const lagging = await queue.lagging(WEBHOOKS_AT_ONCE, storeId);
      const counts = await Promise.all(
        lagging.map(({ storeId: its, webhookId }) =>
          inStore(its, ({ webhooks }) => webhooks.fanOut(webhookId, EVENTS_AT_ONCE)),
        ),
      );
      const most = Math.max(0, ...counts);
      return most === EVENTS_AT_ONCE || (lagging.length === WEBHOOKS_AT_ONCE && most > 0);
    },

    endpoints: (storeId) => queue.endpoints(clock(), storeId),

    deliveries: async (endpoint, most) =>
      (await leases.acquire(endpoint)) ? queue.deliveries(endpoint, clock(), most) : [],

    async attempt(endpoint, delivery) {
      const { storeId, url, secrets } = endpoint;
      const body = JSON.stringify(toEventBody(delivery.event));
      const timestampSeconds = Math.floor(clock() / 1000);
      const headers = {
        'Content-Type': 'application/json',
        'User-Agent': `Petstore/${VERSION}`,
        ...signatureHeaders({ eventId: delivery.event.id, timestampSeconds, body }, secrets),
      };
      // An attempt that is cut off by the end of the process stays due: it is made again after the next start.
      const outcome = await unlessStopped(send({ url, headers, body }));
      if (!outcome) return false;
      await inStore(storeId, (repositories) => recordAttempt(repositories, endpoint, delivery, outcome, random()));
      return outcome.isDelivered;
    },
  });

  let isStopped = false;
  const clear = clearWebhooks({ queue, write: inStore, isStopped: () => isStopped });
  let clearing: Promise<void> | undefined;

  return {
    wake(storeId) {
      dispatcher.wake(storeId);
      if (storeId !== undefined || isStopped) return;
      clearing ??= clear()
        .catch(noteError)
        .finally(() => {
          clearing = undefined;
        });
    },
    async stop() {
      isStopped = true;
      dispatcher.stop();
      const patience = setTimeout(() => {
        for (const cutOff of cutOffs) cutOff();
      }, PATIENCE_MS);
      await Promise.all([dispatcher.idle(), clearing]);
      clearTimeout(patience);
      // What cannot be given back ends by itself, and must not keep the file from being closed.
      await leases.release().catch(noteError);
    },
  };
};
