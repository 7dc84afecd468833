import type { SecretMask } from '../kernel/log.ts';
import { chain, type MaybePromise } from '../kernel/maybe-promise.ts';
import type { Exchange } from './context.ts';
import { prefersProblem } from './input/accept.ts';
import { mayBeLarge } from './input/read-body.ts';
import { isBelowV1 } from './input/request-url.ts';
import type { RequestLog } from './observe/request-log.ts';
import type { RequestMetrics } from './observe/request-metrics.ts';
import type { Spans } from './observe/spans.ts';
import { spellTraceparent } from './observe/trace.ts';
import type { Sender } from './overload/client-identity.ts';
import type { Pace } from './overload/refusal-pacing.ts';
import { toProblem } from './problem.ts';
import { OVERLOADED } from './refusals.ts';
import { asFailure, type Reply, refusal } from './reply.ts';
import type { Route } from './routes.ts';

export type EndingDeps = {
  log: RequestLog;
  requestMetrics: RequestMetrics;
  /** Where spans are sent to; undefined if nobody wants them. */
  spans: Pick<Spans, 'answered'> | undefined;
  secrets: SecretMask;
  countUsage(request: { keyId: string; status: number; deprecatedOperation: string | undefined }): void;
  /** Whether the service is about to stop: callers are told to open a new connection, which will lead elsewhere. */
  isDraining(): boolean;
  /** The clock by which an exchange has started. */
  elapsed(): number;
  pace: Pace;
  senderOf(exchange: Exchange): Sender;
};

/** Whether the status of a health check is the same as last time. */
export type Health = 'same' | 'changed';

/** More than a message has that names every wrong field, or every wrong row of a thousand. */
const MOST_CHARACTERS = 6000;

/** Pages have one form of refusal. */
const wantsProblem = ({ path, request }: Exchange): boolean =>
  isBelowV1(path) && prefersProblem(request.headers.get('accept'));

/** How every exchange ends, well or badly: refused with its cause in the log, then logged and counted. */
export const createEnding = ({
  log,
  requestMetrics,
  spans,
  secrets,
  countUsage,
  isDraining,
  elapsed,
  pace,
  senderOf,
}: EndingDeps) => ({
  /** Those that are told over and over, however often one asks, are told at a pace. */
  refuse(exchange: Exchange, error: unknown, route: Route | undefined): MaybePromise<Reply> {
    const { requestId } = exchange;
    const failure = asFailure(error, requestId);
    if (failure.cause !== undefined && !failure.isLogged) log.failure(requestId, failure);
    // A message may repeat what the caller sent: a long path, or a key in the wrong place.
    const tell = (text: string): string => secrets.mask(text.slice(0, MOST_CHARACTERS));
    const reply = refusal(failure, tell(failure.message));
    if (wantsProblem(exchange)) Object.assign(reply, toProblem(failure, exchange, tell));
    if (failure.status === 405 && route) reply.headers.Allow = route.allow;
    requestMetrics.refused(failure.code);
    if (failure === OVERLOADED) requestMetrics.shed();
    else if (failure.status !== 429) return reply;
    const turn = pace.wait(senderOf(exchange).name, !mayBeLarge(exchange.request));
    return chain<boolean, Reply>(turn, (mayStay) => {
      if (!mayStay) reply.headers.Connection = 'close';
      return reply;
    });
  },

  /** A health check that succeeds again leaves no log line. */
  finish(exchange: Exchange, response: Response, health?: Health): Response {
    const { request, requestId, path, address, startedAt, caller, operation, trace } = exchange;
    if (isDraining()) response.headers.set('Connection', 'close');
    const durationMs = elapsed() - startedAt;
    requestMetrics.answered(exchange, response.status, durationMs);
    if (trace) response.headers.set('traceparent', spellTraceparent(trace));
    spans?.answered(exchange, response.status, durationMs);
    if (health !== 'same' || response.status >= 400) {
      log.request({
        requestId,
        method: request.method,
        path,
        status: response.status,
        durationMs,
        operation: operation?.contract.id,
        keyId: caller?.keyId,
        address,
        traceId: trace?.traceId,
        callerRequestId: request.headers.get('x-request-id') ?? undefined,
        isNews: health === 'changed',
      });
    }
    if (caller && (operation || isBelowV1(path))) {
      const deprecatedOperation = operation?.contract.deprecation && operation.contract.id;
      countUsage({ keyId: caller.keyId, status: response.status, deprecatedOperation });
    }
    return response;
  },
});
