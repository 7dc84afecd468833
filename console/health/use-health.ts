import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { HealthSeries } from '../../client/src/index.ts';
import { ROOT_URL, useSession } from '../session/session.ts';
import { readMetrics } from './metrics-text.ts';
import { addSamples } from './series.ts';
import { readState } from './state.ts';
import { texts } from './texts.ts';

const SERIES_MS = 10_000;
const STATE_MS = 30_000;
const KEY = ['health', 'series'];

/** The first response covers the last hour. Later responses contain only new samples. */
export const useSeries = () => {
  const { petstore } = useSession();
  const queries = useQueryClient();
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }): Promise<HealthSeries> => {
      const kept = queries.getQueryData<HealthSeries>(KEY);
      const since = kept?.times.at(-1);
      const next = await petstore.health.series(since === undefined ? {} : { since }, { signal });
      if (!kept || kept.startedAt === next.startedAt) return addSamples(kept, next);
      return petstore.health.series({}, { signal });
    },
    refetchInterval: SERIES_MS,
    structuralSharing: false,
  });
};

/** `/metrics` is not an API operation, so the petstore client has no method for it. */
export const useHealthState = () => {
  const { secret } = useSession();
  return useQuery({
    queryKey: ['health', 'state'],
    queryFn: async ({ signal }) => {
      const response = await fetch(`${ROOT_URL}/metrics`, { headers: { Authorization: `Bearer ${secret}` }, signal });
      if (!response.ok) throw new Error(texts.unreadable(response.status));
      return readState(readMetrics(await response.text()));
    },
    refetchInterval: STATE_MS,
  });
};

export const useService = () => {
  const { petstore } = useSession();
  return useQuery({ queryKey: ['health', 'service'], queryFn: ({ signal }) => petstore.health.service({ signal }) });
};
