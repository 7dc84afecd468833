import type { Metrics } from '../kernel/metrics.ts';
import type { App, Page } from './app.ts';
import type { CheckDeps } from './checks.ts';
import { refuseScope } from './refusals.ts';

/** What whoever scrapes is told that it gets. */
const HEADERS = {
  'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

const answerMetrics = async ({ show }: Pick<Metrics, 'show'>): Promise<Response> =>
  new Response(await show(), { headers: HEADERS });

type Deps = { metrics: Pick<Metrics, 'show'>; authenticate: CheckDeps['authenticate'] };

/** How the service is, for the operator: the same key as below `/v1`, and none of its windows. */
export const createMetricsPage = ({ metrics, authenticate }: Deps): Page => ({
  show: async ({ request }) => {
    const caller = await authenticate(request.headers.get('authorization'), () => false);
    refuseScope({ id: '/metrics', scope: 'ops:read' }, caller);
    return answerMetrics(metrics);
  },
});

/** The same without a key, for a port that the operator alone can reach. */
export const createMetricsApp = (metrics: Pick<Metrics, 'show'>): App => ({
  routes: new Map([['/metrics', () => answerMetrics(metrics)]]),
  fallback: () => new Response('Metrics are at /metrics.\n', { status: 404 }),
  crashed: () => new Response('The metrics cannot be read.\n', { status: 500 }),
});
