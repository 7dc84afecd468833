import { getHealthSeries } from './get-health-series.ts';

export const healthOperations = [getHealthSeries];
