import { FAILURES, type Failure, type FailureCode } from '../../kernel/failure.ts';
import { formatJson, type Log, type SecretMask } from '../../kernel/log.ts';
import type { Counter, Histogram, Metrics } from '../../kernel/metrics.ts';
import { isBelowV1, type RequestContext } from '../context.ts';
import { networkOf } from '../input/client-address.ts';
import { createLineAllowance } from './line-allowance.ts';

type Deps = { log: Log; secrets: SecretMask; elapsed(): number; later(callback: () => void, ms: number): void };

const OVER_LIMIT = 429;

const REPORT_MS = 10_000;

const MAX_CHARACTERS = 200;
const PLAIN = /^[\w/.:~-]{0,200}$/;

const MAX_LOOKED_THROUGH = 1000;

const THOUSANDTHS = Array.from({ length: 1000 }, (_, count) => `.${String(count).padStart(3, '0')}`);

/**
 * Clients can cause these log lines as often as they like, so the number of lines is limited. Each kind of line has its
 * own limit, so that requests without a valid key cannot suppress the lines about other requests.
 */
export const createRequestLog = ({ log, secrets, elapsed, later }: Deps) => {
  const strangers = createLineAllowance(elapsed);
  const overLimit = createLineAllowance(elapsed);
  const causes = createLineAllowance(elapsed);
  let suppressed = 0;

  const reportSuppressed = (): void => {
    if (suppressed > 0) log.info('request_lines_suppressed', { count: suppressed });
    suppressed = 0;
  };
  const suppress = (): void => {
    suppressed += 1;
    if (suppressed === 1) later(reportSuppressed, REPORT_MS);
  };

  /** Masks secrets before truncating the text, because a secret that is cut in half would not be recognized. */
  const quote = (text: string): string =>
    PLAIN.test(text)
      ? `"${text}"`
      : formatJson(secrets.mask(text.slice(0, MAX_LOOKED_THROUGH)).slice(0, MAX_CHARACTERS));

  return {
    answered: (context: RequestContext, status: number, durationMs: number, isNews: boolean) => {
      const { request, requestId, path, address, operation, caller, trace } = context;
      const isAllowed =
        isNews ||
        status === 500 ||
        (caller ? status !== OVER_LIMIT || overLimit.take(caller.keyId) : strangers.take(networkOf(address)));
      if (!isAllowed) return suppress();
      let fields = `"requestId":"${requestId}","method":${quote(request.method)},"path":${quote(path)},"status":${status}`;
      const micros = Math.round(durationMs * 1000);
      fields += `,"durationMs":${Math.floor(micros / 1000)}${THOUSANDTHS[micros % 1000]}`;
      if (operation) fields += `,"operation":"${operation.contract.id}"`;
      if (caller) fields += `,"keyId":"${caller.keyId}"`;
      fields += `,"address":${quote(address)}`;
      if (trace) fields += `,"traceId":"${trace.traceId}"`;
      const callerRequestId = request.headers.get('x-request-id');
      if (callerRequestId !== null) fields += `,"callerRequestId":${quote(callerRequestId)}`;
      log.info('request', fields);
    },
    failure: (requestId: string, { status, cause }: Pick<Failure, 'status' | 'cause'>) => {
      // While the database is unavailable, all requests fail for the same reason, so a few of these lines are enough.
      if (status !== 500 && !causes.take('')) return suppress();
      log.error('failure', {
        requestId,
        error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
      });
    },
    reportSuppressed,
  };
};

export type RequestLog = ReturnType<typeof createRequestLog>;

const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const createDecisions = (metrics: Metrics) => {
  const decisions = metrics.counter(
    'petstore_limiter_decisions_total',
    'Rate limiter decisions: admitted, or refused by a window or a ban. The subject is key ' +
      'if the request had a valid key, and address if it did not.',
  );
  const of = (subject: 'key' | 'address') => {
    const count = (decision: string) => decisions({ subject, decision });
    return { admitted: count('admitted'), minute: count('minute'), day: count('day'), ban: count('ban') };
  };
  return { key: of('key'), address: of('address') };
};

/** Creates all counters at startup. If a counter first appeared with the value 1, Prometheus would miss that error. */
const createErrors = (metrics: Metrics): ReadonlyMap<string, Counter> => {
  const errors = metrics.counter('petstore_http_errors_total', 'Error responses, by error code and status.');
  return new Map(
    Object.entries(FAILURES).map(([code, { status }]) => [code, errors({ code, status: String(status) })]),
  );
};

export const createRequestMetrics = (metrics: Metrics) => {
  const requests = metrics.counter('petstore_http_requests_total', 'Requests answered, by operation and status.');
  const durations = metrics.histogram(
    'petstore_http_request_duration_seconds',
    "Time from a request's arrival to its response, except for 429 responses; for a stream, to its first byte.",
    DURATIONS,
  );
  const sheds = metrics.counter('petstore_sheds_total', 'Requests refused with 503 because of overload.')();
  const decisions = createDecisions(metrics);
  const errors = createErrors(metrics);
  const known = new Map<string, { duration: Histogram; byStatus: Map<number, Counter> }>();

  return {
    answered({ operation: handler, path, verdict, caller }: RequestContext, status: number, durationMs: number): void {
      // Metric labels must never contain input from callers, so all unknown paths share one label value.
      const operation = handler?.contract.id ?? (isBelowV1(path) ? 'none' : 'page');
      const series = known.get(operation) ?? { duration: durations({ operation }), byStatus: new Map() };
      known.set(operation, series);
      const { duration, byStatus } = series;
      // 429 responses are delayed on purpose. Including them would make the service look slow.
      if (status !== OVER_LIMIT) duration.observe(durationMs / 1000);
      const counter = byStatus.get(status) ?? requests({ operation, status: String(status) });
      byStatus.set(status, counter);
      counter.add();
      if (verdict) decisions[caller ? 'key' : 'address'][verdict.refused?.by ?? 'admitted'].add();
    },
    refused: (code: FailureCode): void => errors.get(code)?.add(),
    shed: (): void => sheds.add(),
  };
};

export type RequestMetrics = ReturnType<typeof createRequestMetrics>;
