import { SYSTEM_CALL } from '../kernel/operation.ts';
import { createUsageCounter } from '../resources/usage/counter.ts';
import type { Backend } from './backend.ts';

/** Counts answered requests in this process, and writes them to the database in batches. */
export const composeUsageCounter = ({ database, clock }: Pick<Backend, 'database' | 'clock'>) =>
  createUsageCounter({
    clock,
    save: (batch) => database.write(SYSTEM_CALL, ({ usage }) => usage.add(batch)),
  });
