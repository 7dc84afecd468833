import { reads } from '../../kernel/operation.ts';
import { getHealthSeriesContract } from './health.contracts.ts';
import type { HealthSeries } from './series.ts';

export const getHealthSeries = reads(
  getHealthSeriesContract,
  (_: unknown, { query }, _call, { healthSeries }: { healthSeries: Pick<HealthSeries, 'since'> }) => ({
    body: healthSeries.since(query.since ?? Number.NEGATIVE_INFINITY),
  }),
);
