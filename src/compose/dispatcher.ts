import type { Config } from '../config.ts';
import type { Dispatcher } from '../delivery/dispatcher.ts';
import { createSend, type Send } from '../delivery/send.ts';
import type { TrustedClock } from '../kernel/clock-guard.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { Backend } from './backend.ts';
import { composeWebhooks } from './webhooks.ts';

type Deps = Pick<Backend, 'database' | 'clock' | 'holder' | 'lease' | 'arrivals'> & {
  config: Config;
  log: Log;
  metrics: Metrics;
  trustedNow: TrustedClock;
  send?: Send;
};

/** Sends webhooks: woken by every new event. */
export const composeDispatcher = (deps: Deps): Dispatcher => {
  const allowPrivate = deps.config.PETSTORE_WEBHOOK_ALLOW_PRIVATE;
  const send = deps.send ?? createSend({ allowPrivate, clock: deps.clock });
  const { wake, stop } = composeWebhooks({ ...deps, send, random: Math.random });
  const unsubscribe = deps.arrivals.subscribeToAll(wake);
  return {
    wake,
    stop() {
      unsubscribe();
      return stop();
    },
  };
};
