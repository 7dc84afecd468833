import type { Contract } from '../../kernel/contract.ts';
import { explainError, type Log } from '../../kernel/log.ts';
import type { RequestContext } from '../context.ts';
import { isSampled, type Trace } from './trace.ts';

type Deps = {
  endpoint: string;
  headers: Record<string, string>;
  version: string;
  clock(): number;
  later(callback: () => void, ms: number): void;
  log: Pick<Log, 'warn'>;
};

const MAX_WAITING = 4096;
const SPANS_PER_REQUEST = 512;
const PATIENCE_MS = 5000;
const LAST_PATIENCE_MS = 500;
const LATE = new Error('the collector timed out');

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
const number = (key: string, value: number) => ({ key, value: { intValue: String(value) } });

const nanoseconds = (ms: number): string => `${Math.round(ms * 1000)}000`;

type Noted = {
  trace: Trace;
  contract: Contract | undefined;
  method: string;
  requestId: string;
  status: number;
  durationMs: number;
  endedAt: number;
};

const toSpan = ({ trace, contract, method, requestId, status, durationMs, endedAt }: Noted) => ({
  traceId: trace.traceId,
  spanId: trace.spanId,
  parentSpanId: trace.parentId,
  name: contract?.id ?? method,
  kind: 2,
  startTimeUnixNano: nanoseconds(endedAt - durationMs),
  endTimeUnixNano: nanoseconds(endedAt),
  attributes: [
    text('http.request.method', method),
    ...(contract ? [text('http.route', `/v1${contract.path}`)] : []),
    number('http.response.status_code', status),
    text('petstore.request_id', requestId),
  ],
  // According to OpenTelemetry's conventions for HTTP, a 4xx response is not an error in a server span.
  status: status >= 500 ? { code: 2 } : {},
});

export const createSpans = ({ endpoint, headers, version, clock, later, log }: Deps) => {
  const resource = { attributes: [text('service.name', 'petstore'), text('service.version', version)] };
  let underWay: AbortController | undefined;
  let patienceMs = PATIENCE_MS;
  let waiting: Noted[] = [];
  let dropped = 0;

  const send = async (noted: readonly Noted[], signal: AbortSignal): Promise<void> => {
    const spans = noted.map(toSpan);
    const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'petstore', version }, spans }] }] };
    const answer = await fetch(`${endpoint.replace(/\/+$/, '')}/v1/traces`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal,
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`the collector responded with ${answer.status}`);
  };

  return {
    answered({ trace, operation, request, requestId }: RequestContext, status: number, durationMs: number): void {
      if (!trace || !isSampled(trace)) return;
      if (waiting.length >= MAX_WAITING) {
        dropped += 1;
        return;
      }
      const { method } = request;
      waiting.push({ trace, contract: operation?.contract, method, requestId, status, durationMs, endedAt: clock() });
    },

    async flush(): Promise<void> {
      const spans = waiting;
      waiting = [];
      if (dropped > 0) log.warn('spans_dropped', { count: dropped });
      dropped = 0;
      const patience = new AbortController();
      later(() => patience.abort(LATE), patienceMs);
      underWay = patience;
      try {
        while (spans.length > 0) {
          await send(spans.slice(0, SPANS_PER_REQUEST), patience.signal);
          spans.splice(0, SPANS_PER_REQUEST);
        }
      } catch (error) {
        log.warn('spans_not_sent', { count: spans.length, error: explainError(error) });
      }
    },

    hurry(): void {
      patienceMs = LAST_PATIENCE_MS;
      const begun = underWay;
      later(() => begun?.abort(LATE), LAST_PATIENCE_MS);
    },
  };
};

export type Spans = ReturnType<typeof createSpans>;
