import { reads } from '../../kernel/operation.ts';
import { getHealthSeriesContract, getServiceContract } from './health.contracts.ts';
import type { HealthSeries } from './series.ts';
import type { ServiceFacts } from './service.ts';

export const getHealthSeries = reads(
  getHealthSeriesContract,
  (_: unknown, { query }, _call, { healthSeries }: { healthSeries: Pick<HealthSeries, 'since'> }) => ({
    body: healthSeries.since(query.since ?? Number.NEGATIVE_INFINITY),
  }),
);

export const getService = reads(
  getServiceContract,
  (_: unknown, _input, _call, { facts }: { facts: ServiceFacts }) => ({ body: facts }),
);
