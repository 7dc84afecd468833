import type { Config } from '../config.ts';
import { logJobFailure } from '../kernel/job.ts';
import type { Log } from '../kernel/log.ts';
import type { Dispatcher } from '../webhooks/dispatcher.memory.ts';
import type { Send } from '../webhooks/send.ts';
import type { Backend } from './backend.ts';
import { startLate } from './start-late.ts';

type Deps = Pick<Backend, 'database' | 'clock' | 'holder' | 'lease' | 'arrivals'> & {
  config: Config;
  log: Log;
  send?: Send;
};

/** Sends webhooks: woken by every new event, loaded when it is first woken. */
export const composeDispatcher = (deps: Deps): Dispatcher => {
  const load = async () => {
    const [{ composeWebhooks }, { createSend }] = await Promise.all([
      import('./webhooks.ts'),
      import('../webhooks/send.ts'),
    ]);
    const allowPrivate = deps.config.PETSTORE_WEBHOOK_ALLOW_PRIVATE;
    const send = deps.send ?? createSend({ allowPrivate, clock: deps.clock });
    return composeWebhooks({ ...deps, send, random: Math.random });
  };
  const { wake, stop } = startLate(load, logJobFailure(deps.log, 'webhooks'));
  const unsubscribe = deps.arrivals.subscribeToAll(wake);
  return {
    wake,
    stop() {
      unsubscribe();
      return stop();
    },
  };
};
