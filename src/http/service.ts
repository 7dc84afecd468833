import type { SecretMask } from '../kernel/log.ts';
import type { Caller, KeyRequest } from '../kernel/operation.ts';
import type { Clock, MaybePromise } from '../kernel/runtime.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { ContextDeps, RequestContext } from './context.ts';
import type { RequestLog, RequestMetrics } from './observe/request-log.ts';
import type { Spans } from './observe/spans.ts';
import type { ClientIdentity, Gate, ThrottledNetworks } from './overload/gate.ts';
import type { RefusalPacing } from './overload/refusal-pacing.ts';

/** Everything that the HTTP code needs to handle requests. */
export type Service = ContextDeps & {
  spans: Pick<Spans, 'answered'> | undefined;
  log: RequestLog;
  requestMetrics: RequestMetrics;
  secrets: SecretMask;
  countUsage(request: KeyRequest): void;
  drain: { readonly hasBegun: boolean };
  clock: Clock;
  gate: Gate;
  refusalPacing: RefusalPacing;
  identifyClient(context: RequestContext): ClientIdentity;
  authenticate(authorization: string | null, isThrottled: () => boolean): MaybePromise<Caller>;
  limiter: Limiter;
  pageLimiter: Pick<Limiter, 'take'>;
  throttled: ThrottledNetworks;
  throttledForPages: ThrottledNetworks;
  /**
   * If set, this time (ms since 1970) is used instead of the current time to decide whether an operation has been
   * removed.
   */
  rehearsedDate: number | undefined;
  /**
   * Called after a write by an API key. Makes all instances use the primary database for that key's reads until the
   * standby has received the write. Undefined if there is no standby.
   */
  noteWrite?: ((keyId: string) => Promise<void>) | undefined;
};
