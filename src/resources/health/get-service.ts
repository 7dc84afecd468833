import { reads } from '../../kernel/operation.ts';
import { getServiceContract } from './health.contracts.ts';
import type { ServiceFacts } from './service.ts';

export const getService = reads(
  getServiceContract,
  (_: unknown, _input, _call, { facts }: { facts: ServiceFacts }) => ({ body: facts }),
);
