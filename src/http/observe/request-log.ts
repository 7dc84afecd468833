import { FAILURES, type Failure, type FailureCode } from '../../kernel/failure.ts';
import { formatJson, type Log, type SecretMask } from '../../kernel/log.ts';
import type { Counter, Histogram, Metrics } from '../../kernel/metrics.ts';
import { isBelowV1, type RequestContext } from '../context.ts';
import { networkOf } from '../input/client-address.ts';
import { createLineAllowance } from './line-allowance.ts';

type RequestLine = {
  requestId: string;
  method: string;
  /** Without the query, which may contain anything, even a key. */
  path: string;
  status: number;
  durationMs: number;
  operation: string | undefined;
  keyId: string | undefined;
  address: string;
  traceId: string | undefined;
  callerRequestId: string | undefined;
  /** Always logged. */
  isNews: boolean;
};

export type RequestLog = {
  request(line: RequestLine): void;
  /** Logs the cause of an error that the response does not reveal. */
  failure(requestId: string, failure: Pick<Failure, 'status' | 'cause'>): void;
  /** Logs how many lines were suppressed since the last report. */
  reportSuppressed(): void;
};

type Deps = {
  log: Log;
  secrets: SecretMask;
  /** A monotonic clock in milliseconds. */
  elapsed(): number;
  later(callback: () => void, ms: number): void;
};

const OVER_LIMIT = 429;

/** One line per interval says how many were suppressed. */
const REPORT_MS = 10_000;

const MAX_CHARACTERS = 200;
/** Text that needs no JSON escapes, like nearly every path. */
const PLAIN = /^[\w/.:~-]{0,200}$/;

/** Only the beginning of a longer text is searched for secrets: searching megabytes would invite attacks. */
const MAX_LOOKED_THROUGH = 1000;

/** `.000` to `.999`: formatting a fraction each time costs more than the rest of the line. */
const THOUSANDTHS = Array.from({ length: 1000 }, (_, count) => `.${String(count).padStart(3, '0')}`);

/**
 * Logs requests. Suppresses lines that a client can cause without limit: requests without a valid key, a key's 429, and the
 * causes of 503. Each kind has its own allowance, so that strangers never suppress the line of a key.
 */
export const createRequestLog = ({ log, secrets, elapsed, later }: Deps): RequestLog => {
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

  /** Quotes input, of a bounded length. A secret is masked before the text is cut: half of one is still a secret. */
  const quote = (text: string): string =>
    PLAIN.test(text)
      ? `"${text}"`
      : formatJson(secrets.mask(text.slice(0, MAX_LOOKED_THROUGH)).slice(0, MAX_CHARACTERS));

  return {
    request: (line) => {
      const { requestId, method, path, status, durationMs, operation, keyId, address, traceId, callerRequestId } = line;
      const isAllowed =
        line.isNews ||
        status === 500 ||
        (keyId === undefined ? strangers.take(networkOf(address)) : status !== OVER_LIMIT || overLimit.take(keyId));
      if (!isAllowed) return suppress();
      // Input is escaped as JSON; all other values are our own.
      let fields = `"requestId":"${requestId}","method":${quote(method)},"path":${quote(path)},"status":${status}`;
      const micros = Math.round(durationMs * 1000);
      fields += `,"durationMs":${Math.floor(micros / 1000)}${THOUSANDTHS[micros % 1000]}`;
      if (operation !== undefined) fields += `,"operation":"${operation}"`;
      if (keyId !== undefined) fields += `,"keyId":"${keyId}"`;
      fields += `,"address":${quote(address)}`;
      if (traceId !== undefined) fields += `,"traceId":"${traceId}"`;
      if (callerRequestId !== undefined) fields += `,"callerRequestId":${quote(callerRequestId)}`;
      log.info('request', fields);
    },
    failure: (requestId, { status, cause }) => {
      // While the database is away, all requests fail for one cause. An internal error is always logged.
      if (status !== 500 && !causes.take('')) return suppress();
      log.error('failure', {
        requestId,
        error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
      });
    },
    reportSuppressed,
  };
};

export type RequestMetrics = {
  answered(context: RequestContext, status: number, durationMs: number): void;
  refused(code: FailureCode): void;
  /** Counts a refusal because of overload. */
  shed(): void;
};

/** Seconds. */
const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of one operation. */
type Series = { duration: Histogram; byStatus: Map<number, Counter> };

const createDecisions = (metrics: Metrics) => {
  const decisions = metrics.counter(
    'petstore_limiter_decisions_total',
    'Rate limiter decisions: admitted, or refused by a window or a ban. The subject is a key, or an address without a ' +
      'valid key.',
  );
  const of = (subject: 'key' | 'address') => ({
    admitted: decisions({ subject, decision: 'admitted' }),
    minute: decisions({ subject, decision: 'minute' }),
    day: decisions({ subject, decision: 'day' }),
    ban: decisions({ subject, decision: 'ban' }),
  });
  return { key: of('key'), address: of('address') };
};

/** Every code exists from the start: a series that first appears at 1 has no rate. */
const createErrors = (metrics: Metrics): ReadonlyMap<string, Counter> => {
  const errors = metrics.counter('petstore_http_errors_total', 'Refused requests, by error code and status.');
  return new Map(
    Object.entries(FAILURES).map(([code, { status }]) => [code, errors({ code, status: String(status) })]),
  );
};

export const createRequestMetrics = (metrics: Metrics): RequestMetrics => {
  const requests = metrics.counter('petstore_http_requests_total', 'Requests answered, by operation and status.');
  const durations = metrics.histogram(
    'petstore_http_request_duration_seconds',
    "Time from a request's arrival to its response, except for 429 responses; for a stream, to its first byte.",
    DURATIONS,
  );
  const sheds = metrics.counter('petstore_sheds_total', 'Requests refused with 503 because of overload.')();
  const decisions = createDecisions(metrics);
  const errors = createErrors(metrics);
  const known = new Map<string, Series>();

  return {
    answered({ operation: handler, path, verdict, caller }, status, durationMs) {
      // Unknown paths share one name: a label never contains input.
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
