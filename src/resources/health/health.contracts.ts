import { contract } from '../../kernel/contract.ts';
import { EXAMPLE, instantText } from '../../kernel/schema.ts';
import { healthSeriesBody } from './series.ts';

const HEALTH = { tag: 'Health', stability: 'beta' } as const;

export const getHealthSeriesContract = contract({
  ...HEALTH,
  id: 'getHealthSeries',
  method: 'GET',
  path: '/health/series',
  command: 'health series',
  summary: 'Get health figures for the last hour',
  description:
    'Returns the request rate, response times, errors, queues and memory of the last hour, one sample every 10 seconds. ' +
    'The process keeps the samples in memory. If there are several instances, the response describes only the instance ' +
    'that answered.',
  scope: 'ops:read',
  input: {
    query: {
      since: instantText
        .optional()
        .meta({ description: 'Only samples after this time; default: all.', examples: [EXAMPLE.time] }),
    },
  },
  answer: { status: 200, description: 'The samples', body: healthSeriesBody },
});
