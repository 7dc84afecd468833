import { expect, test } from 'bun:test';
import { openTestDatabase } from '../../test/database.ts';
import { createMetrics } from '../kernel/metrics.ts';
import { createLog } from '../ops/log.ts';
import { createLocalKeyChanges } from '../resources/keys/changes.ts';
import { createLocalArrivals } from '../streaming/arrivals.ts';
import { composeWebhooks } from './jobs.ts';

test('a dispatcher is woken by new events until it is stopped', async () => {
  const { database, clock, close } = openTestDatabase();
  let listeners = 0;
  const subscribeToDeliveries = () => {
    listeners += 1;
    return () => {
      listeners -= 1;
    };
  };
  const dispatcher = composeWebhooks({
    database,
    clock,
    trustedNow: clock,
    isLeader: () => true,
    arrivals: { ...createLocalArrivals(), subscribeToDeliveries },
    keyChanges: createLocalKeyChanges(),
    send: async () => {
      throw new Error('nothing is due');
    },
    random: Math.random,
    log: createLog('silent', async () => undefined, clock),
    metrics: createMetrics(),
  });
  expect(listeners).toBe(1);
  await dispatcher.stop();
  expect(listeners).toBe(0);
  await close();
});
