import type { Contract } from '../kernel/contract.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { UsageCounter } from './counter.ts';
import { getKeyUsage, getUsage } from './get-usage.ts';
import { listDeprecations } from './list-deprecations.ts';

type Deps = { limiter: Limiter; counter: UsageCounter; contracts: readonly Contract[] };

export const usageOperations = (deps: Deps) => [getUsage(deps), getKeyUsage(deps), listDeprecations(deps)];
