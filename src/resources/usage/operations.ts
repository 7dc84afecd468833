import { getKeyRequests, getKeyUsage, getRequests, getUsage } from './get-usage.ts';
import { listDeprecations } from './list-deprecations.ts';

export const usageOperations = [getUsage, getRequests, getKeyUsage, getKeyRequests, listDeprecations];
