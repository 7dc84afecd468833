import { SYSTEM_CALL } from '../kernel/operation.ts';
import { createUsageCounter } from '../usage/counter.ts';
import { hourOf, USAGE_KEPT_MS } from '../usage/usage.ts';
import type { Backend } from './backend.ts';

/** Counts answered requests in this process, and writes them to the database in batches. */
export const composeUsageCounter = ({ database, clock }: Pick<Backend, 'database' | 'clock'>) =>
  createUsageCounter({
    clock,
    save: (batch) =>
      database.write(SYSTEM_CALL, async ({ usage }) => {
        await usage.add(batch);
        await usage.forget(hourOf(clock()) - USAGE_KEPT_MS);
      }),
  });
