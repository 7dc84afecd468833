import { getKeyUsage, getUsage } from './get-usage.ts';
import { listDeprecations } from './list-deprecations.ts';

export const usageOperations = [getUsage, getKeyUsage, listDeprecations];
