import { FAILURES, type FailureCode } from '../../kernel/failure.ts';
import type { Counter, Histogram, Metrics } from '../../kernel/metrics.ts';
import { isBelowV1, type RequestContext } from '../context.ts';

export type RequestMetrics = {
  answered(context: RequestContext, status: number, durationMs: number): void;
  refused(code: FailureCode): void;
  /** Counts a refusal because of overload. */
  shed(): void;
};

/** Seconds. */
const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const OVER_LIMIT = 429;

/** What an operation's requests are counted in, found by one look. */
type Series = { duration: Histogram; byStatus: Map<number, Counter> };

const createDecisions = (metrics: Metrics) => {
  const decisions = metrics.counter(
    'petstore_limiter_decisions_total',
    'Requests judged by the limiter: admitted, or refused by a window or a ban. Of a key, or of an address without a valid one.',
  );
  const of = (subject: 'key' | 'address') => ({
    admitted: decisions({ subject, decision: 'admitted' }),
    minute: decisions({ subject, decision: 'minute' }),
    day: decisions({ subject, decision: 'day' }),
    ban: decisions({ subject, decision: 'ban' }),
  });
  return { key: of('key'), address: of('address') };
};

/** Every code stands there from the start: one that first appears at 1 would have no rate. */
const createErrors = (metrics: Metrics): ReadonlyMap<string, Counter> => {
  const errors = metrics.counter(
    'petstore_http_errors_total',
    'Requests refused, by the code and status of the error.',
  );
  return new Map(
    Object.entries(FAILURES).map(([code, { status }]) => [code, errors({ code, status: String(status) })]),
  );
};

export const createRequestMetrics = (metrics: Metrics): RequestMetrics => {
  const requests = metrics.counter('petstore_http_requests_total', 'Requests answered, by operation and status.');
  const durations = metrics.histogram(
    'petstore_http_request_duration_seconds',
    'From the arrival of a request to its answer, unless that is 429; of a stream, to its first byte.',
    DURATIONS,
  );
  const sheds = metrics.counter('petstore_sheds_total', 'Requests refused with 503 because of overload.')();
  const decisions = createDecisions(metrics);
  const errors = createErrors(metrics);
  const known = new Map<string, Series>();

  return {
    answered({ operation: handler, path, verdict, caller }, status, durationMs) {
      // Unknown paths share one name: a label never holds what a caller sends.
      const operation = handler?.contract.id ?? (isBelowV1(path) ? 'none' : 'page');
      const series = known.get(operation) ?? { duration: durations({ operation }), byStatus: new Map() };
      known.set(operation, series);
      const { duration, byStatus } = series;
      // Paced: a client that keeps retrying would make the service seem slow.
      if (status !== OVER_LIMIT) duration.observe(durationMs / 1000);
      const counter = byStatus.get(status) ?? requests({ operation, status: String(status) });
      byStatus.set(status, counter);
      counter.add();
      if (verdict) decisions[caller ? 'key' : 'address'][verdict.refused?.by ?? 'admitted'].add();
    },
    refused: (code) => errors.get(code)?.add(),
    shed: () => sheds.add(),
  };
};
