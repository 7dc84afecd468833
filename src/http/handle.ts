import type { Contract } from '../kernel/contract.ts';
import { Failure } from '../kernel/failure.ts';
import { type Caller, NOTED_FOR_MS } from '../kernel/operation.ts';
import type { MaybePromise } from '../kernel/runtime.ts';
import { refuseOverLimit } from '../limits/limiter.ts';
import { keySubject, selfSubject, strangerSubject } from '../limits/window.ts';
import { callOf, type Incoming, openContext, type RequestContext } from './context.ts';
import { findCached, finish, refuse, toReply } from './finish.ts';
import { networkOf } from './input/client-address.ts';
import { mayBeLarge } from './input/read-body.ts';
import { readInput } from './input/read-input.ts';
import { type ClientIdentity, OVERLOADED } from './overload/gate.ts';
import { preflight } from './reply.ts';
import { ALL_METHODS, type Route } from './routes.ts';
import { serveBatch } from './serve-batch.ts';
import type { Service } from './service.ts';

/**
 * The order of the checks in this function is part of the API (test/order-of-checks.test.ts). The function awaits
 * only results that are promises, because awaiting every step would make a GET 10 to 15% slower.
 */
export const handle = async (service: Service, route: Route | undefined, incoming: Incoming): Promise<Response> => {
  const { request } = incoming;
  const context = openContext(service, route?.methods.get(request.method), incoming);
  try {
    // A request refused because of overload (503) does not count against any limit. A request with two Host headers
    // (400) counts against the rate limit of the client's address.
    const admission = admit(service, context);
    if (admission instanceof Promise) await admission;
    if (context.hasTwoHosts) {
      await countAddress(service, context);
      throw TWO_HOSTS;
    }
    if (request.method === 'OPTIONS') {
      return finish(service, context, preflight(route?.allow ?? ALL_METHODS, context.hasOrigin));
    }

    const found = authenticate(service, context);
    const caller = found instanceof Promise ? await found : found;
    context.caller = caller;

    const isOwnMeter = context.operation?.contract.meter === 'own';
    const subject = isOwnMeter ? selfSubject(caller) : keySubject(caller, request.method !== 'GET');
    const judged = service.limiter.take(subject);
    context.verdict = judged instanceof Promise ? await judged : judged;
    if (context.verdict.refused) refuseOverLimit(context.verdict, service.clock());

    const operation = context.operation ?? refuseRoute(context, route);
    authorize(operation.contract, caller, service.rehearsedDate ?? service.clock());
    if (operation.batch) {
      const pay = payForBatch.bind(undefined, service, context, caller);
      const reply = await serveBatch(operation, operation.batch, context, caller, pay);
      if (service.noteWrite) await noteLateWrite(service, context, caller);
      return finish(service, context, reply);
    }
    const cached = operation.replies && findCached(operation.replies, context, caller);
    if (cached) return finish(service, context, cached);

    const reading = readInput(operation.input, context);
    const { input, once, list } = reading instanceof Promise ? await reading : reading;

    // A GET gets no abort signal: creating one costs more than finishing a read whose client has disconnected.
    const signal = operation.contract.method === 'GET' ? undefined : request.signal;
    const running = operation.run(input, callOf(context, caller), { signal, once });
    const answer = running instanceof Promise ? await running : running;
    if (signal && service.noteWrite) await noteLateWrite(service, context, caller);
    return finish(service, context, toReply(operation, context, list, answer));
  } catch (error) {
    return finish(service, context, await refuse(service, context, error, route?.allow));
  }
};

export const admit = (
  { gate, identifyClient }: Pick<Service, 'gate' | 'identifyClient'>,
  context: RequestContext,
  isDelayed?: (client: ClientIdentity) => boolean,
): MaybePromise<void> => {
  if (gate.isOpen(context.startedAt)) return undefined;
  const client = identifyClient(context);
  if (isDelayed?.(client)) return gate.waitForPage(client);
  if (!client.isKnown && mayBeLarge(context.request)) throw OVERLOADED;
  return gate.wait(client);
};

/** Created only once, because recording a stack trace per refusal would be slow during a flood of requests. */
export const TWO_HOSTS = new Failure('invalid_request', 'The request must have exactly one Host header.', {
  faults: [{ header: 'Host', detail: 'must be given only once' }],
});

const countAddress = async ({ limiter, throttled, clock }: Service, context: RequestContext): Promise<void> => {
  const network = networkOf(context.address);
  context.verdict = await limiter.take(strangerSubject(network));
  throttled.note(network, context.verdict);
  refuseOverLimit(context.verdict, clock());
};

const refuseStranger = async (service: Service, context: RequestContext, error: unknown): Promise<never> => {
  if (error instanceof Failure && error.status === 401) await countAddress(service, context);
  throw error;
};

const authenticate = (service: Service, context: RequestContext): MaybePromise<Caller> => {
  const isThrottled = () => service.throttled.has(networkOf(context.address));
  try {
    const caller = service.authenticate(context.request.headers.get('authorization'), isThrottled);
    return caller instanceof Promise ? caller.catch((error) => refuseStranger(service, context, error)) : caller;
  } catch (error) {
    return refuseStranger(service, context, error);
  }
};

export const wrongMethod = (path: string, allow: string, method: string): Failure =>
  new Failure('method_not_allowed', `${path} accepts ${allow.replace(/, (\w+)$/, ' and $1')}, but not ${method}.`);

const refuseRoute = ({ request, path }: RequestContext, route: Route | undefined): never => {
  if (route) throw wrongMethod(path, route.allow, request.method);
  throw new Failure('route_not_found', `The path ${path} does not exist. All paths are listed at /docs.`);
};

export const authorize = (
  { method, path, scope, deprecation }: Pick<Contract, 'method' | 'path' | 'scope' | 'deprecation'>,
  { scopes }: Caller,
  now: number,
): void => {
  if (deprecation && now >= deprecation.sunset.getTime()) {
    const day = deprecation.sunset.toISOString().slice(0, 10);
    throw new Failure(
      'operation_removed',
      `${method} ${path} was removed on ${day}. Use GET ${deprecation.successor} instead.`,
    );
  }
  if (scope === 'any key' || scopes.includes(scope)) return;
  throw new Failure(
    'insufficient_scope',
    `${method} ${path} needs a key with the \`${scope}\` scope. Ask the operator for a key with this scope.`,
  );
};

// Stores the time of the write again, because Redis may have missed the write, or the stored time may be long before
// the commit.
const noteLateWrite = async (service: Service, { verdict, startedAt }: RequestContext, { keyId }: Caller) => {
  if (verdict?.sinceWriteMs === undefined || service.elapsed() - startedAt > NOTED_FOR_MS)
    await service.noteWrite?.(keyId);
};

const payForBatch = async (service: Service, context: RequestContext, caller: Caller, more: number, total: number) => {
  const most = Math.min(caller.limits.perMinute, caller.limits.perDay);
  if (total > most) {
    throw new Failure(
      'invalid_request',
      `The batch counts as ${total} requests, which is more than the key's limit of ${most}. Split it into smaller batches.`,
    );
  }
  context.verdict = await service.limiter.take(keySubject(caller, true), more);
  refuseOverLimit(context.verdict, service.clock());
};
