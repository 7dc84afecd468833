import type { Metrics } from '../../kernel/metrics.ts';
import type { Caller } from '../../kernel/operation.ts';
import type { App, Handler } from '../app.ts';
import { authorize } from '../handle.ts';
import { isLoopbackHost } from '../pages/own-host.ts';
import type { Page } from '../pages/page-checks.ts';

const HEADERS = {
  'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

const answerMetrics = async ({ show }: Pick<Metrics, 'show'>): Promise<Response> =>
  new Response(await show(), { headers: HEADERS });

export const createMetricsPage = (metrics: Pick<Metrics, 'show'>): Page => ({
  needsKey: true,
  show: ({ caller }) => {
    authorize({ method: 'GET', path: '/metrics', scope: 'ops:read' }, caller as Caller, 0);
    return answerMetrics(metrics);
  },
});

const FORBIDDEN = 'This port serves metrics to this machine only. Use localhost or 127.0.0.1 as the host.\n';

/**
 * The metrics page needs no key, because this app listens only on loopback. The Host header must contain a loopback
 * name. Otherwise, a website could point its own host name at 127.0.0.1 and read the metrics (DNS rebinding).
 */
export const createMetricsApp = (metrics: Pick<Metrics, 'show'>): App => {
  const answer: Handler = ({ request: { headers } }) =>
    isLoopbackHost(headers.get('host') ?? '') ? answerMetrics(metrics) : new Response(FORBIDDEN, { status: 403 });
  return {
    routes: new Map([['/metrics', answer]]),
    fallback: () => new Response('Metrics are at /metrics.\n', { status: 404 }),
    crashed: () => new Response('The metrics could not be read. Try again.\n', { status: 500 }),
  };
};
