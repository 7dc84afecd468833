import type { Clock } from '../kernel/clock.ts';
import type { SecretMask } from '../kernel/log.ts';
import type { MaybePromise } from '../kernel/maybe-promise.ts';
import type { Limiter } from '../limits/limiter.ts';
import { strangerSubject } from '../limits/window.ts';
import { type ContextDeps, isBelowV1, type RequestContext } from './context.ts';
import { prefersProblem } from './input/accept.ts';
import { networkOf } from './input/client-address.ts';
import { mayBeLarge } from './input/read-body.ts';
import type { RequestLog, RequestMetrics } from './observe/request-log.ts';
import { spellTraceparent } from './observe/trace.ts';
import { type ClientIdentity, OVERLOADED } from './overload/gate.ts';
import type { RefusalPacing } from './overload/refusal-pacing.ts';
import { toProblem } from './problem.ts';
import { addLimits, asFailure, createEncoders, type Reply, refusal } from './reply.ts';

export type FinishDeps = Pick<ContextDeps, 'elapsed' | 'spans'> & {
  log: RequestLog;
  requestMetrics: RequestMetrics;
  secrets: SecretMask;
  countUsage(request: { keyId: string; status: number; deprecatedOperation: string | undefined }): void;
  /** Whether the service is about to stop: responses ask clients to open a new connection, which leads elsewhere. */
  isDraining(): boolean;
  clock: Clock;
  limiter: Pick<Limiter, 'peek'>;
  refusalPacing: RefusalPacing;
  identifyClient(context: RequestContext): ClientIdentity;
};

/** Whether the status of a health check is the same as last time. */
export type Health = 'same' | 'changed';

/** More than any message that names every wrong field, or every wrong row of a thousand. */
const MOST_CHARACTERS = 6000;

/** Pages have one form of refusal. */
const wantsProblem = ({ path, request }: RequestContext): boolean =>
  isBelowV1(path) && prefersProblem(request.headers.get('accept'));

/** Turns any error into a reply, and logs its cause. Paces refusals that can be repeated at will (429, overload 503). */
export const refuse = async (
  service: FinishDeps,
  context: RequestContext,
  error: unknown,
  allow: string | undefined,
): Promise<Reply> => {
  const { log, secrets, requestMetrics } = service;
  const failure = asFailure(error, context.requestId);
  if (failure.cause !== undefined && !failure.isLogged) log.failure(context.requestId, failure);
  // A message may repeat what the caller sent: a long path, or a key in the wrong place.
  const tell = (text: string): string => secrets.mask(text.slice(0, MOST_CHARACTERS));
  const reply = refusal(failure, tell(failure.message));
  if (wantsProblem(context)) Object.assign(reply, toProblem(failure, context, tell));
  if (failure.status === 405 && allow !== undefined) reply.headers.Allow = allow;
  requestMetrics.refused(failure.code);
  if (failure === OVERLOADED) requestMetrics.shed();
  else if (failure.status !== 429) return reply;
  const { name } = service.identifyClient(context);
  const mayStay = await service.refusalPacing.wait(name, !mayBeLarge(context.request));
  if (!mayStay) reply.headers.Connection = 'close';
  return reply;
};

const REFUSALS = createEncoders();

/** Adds what every reply below `/v1` carries, and finishes it. `standing` is what the limit headers describe. */
export const finishReply = (
  service: FinishDeps,
  context: RequestContext,
  reply: Reply,
  standing = context.verdict,
): MaybePromise<Response> => {
  if (!standing) {
    // Not counted: shows the windows of the caller's address.
    const peeked = service.limiter.peek(strangerSubject(networkOf(context.address)));
    return peeked.then((verdict) => finishReply(service, context, reply, verdict));
  }
  const { operation, base } = context;
  operation?.addDeprecation?.(reply.headers, base);
  addLimits(reply.headers, standing, service.clock());
  const { crossOrigin, plain } = operation && reply.status < 400 ? operation.encoders : REFUSALS;
  const encode = context.hasOrigin ? crossOrigin : plain;
  return finish(service, context, encode(reply, context.requestId));
};

/** Logs, counts and measures a request. Every response leaves through here. A repeated health check leaves no log line. */
export const finish = (
  service: FinishDeps,
  context: RequestContext,
  response: Response,
  health?: Health | undefined,
): Response => {
  const { request, requestId, path, address, startedAt, caller, operation, trace } = context;
  const { status, headers } = response;
  if (service.isDraining()) headers.set('Connection', 'close');
  const durationMs = service.elapsed() - startedAt;
  service.requestMetrics.answered(context, status, durationMs);
  if (trace) headers.set('traceparent', spellTraceparent(trace));
  service.spans?.answered(context, status, durationMs);
  if (health !== 'same' || status >= 400) {
    service.log.request({
      requestId,
      method: request.method,
      path,
      status,
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
    service.countUsage({ keyId: caller.keyId, status, deprecatedOperation });
  }
  return response;
};
