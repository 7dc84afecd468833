import { Failure } from '../../kernel/failure.ts';
import type { MaybePromise } from '../../kernel/runtime.ts';
import { refuseOverLimit } from '../../limits/limiter.ts';
import { missingPageSubject, pageSubject, type Subject } from '../../limits/window.ts';
import { type Incoming, openContext, type RequestContext } from '../context.ts';
import { record, refuse } from '../finish.ts';
import { admit, TWO_HOSTS, wrongMethod } from '../handle.ts';
import { networkOf } from '../input/client-address.ts';
import { encodePage } from '../reply.ts';
import type { Service } from '../service.ts';

export type Page = {
  show(context: RequestContext): MaybePromise<Response>;
  /**
   * Set for the pages that serve health checks. Requests to these pages are not rate-limited, and are logged only if
   * they fail or if the status has changed since the last request.
   */
  isFree?: true;
  needsKey?: true;
  allow?: string;
  exists?(context: RequestContext): MaybePromise<boolean>;
  forbid?(context: RequestContext): Response | undefined;
};

const READ = 'GET, HEAD';

const allowOf = (page: Page | undefined): string => page?.allow ?? READ;

const takes = (page: Page, { method }: Request): boolean => allowOf(page).split(', ').includes(method);

const missing = (path: string) =>
  new Failure(
    'route_not_found',
    `The page ${path} does not exist. The API is under /v1, and its reference is at /docs.`,
  );

const count = async (
  { pageLimiter, throttledForPages, clock }: Service,
  { address, caller }: RequestContext,
  subjectOf: (reader: string) => Subject,
): Promise<void> => {
  const network = networkOf(address);
  const verdict = await pageLimiter.take(subjectOf(caller?.keyId ?? network));
  if (!caller) throttledForPages.note(network, verdict);
  refuseOverLimit(verdict, clock());
};

const identify = async ({ authenticate, throttledForPages }: Service, context: RequestContext): Promise<unknown> => {
  const authorization = context.request.headers.get('authorization');
  try {
    context.caller = await authenticate(authorization, () => throttledForPages.has(networkOf(context.address)));
    return undefined;
  } catch (error) {
    return error;
  }
};

const findFault = async (context: RequestContext, page: Page | undefined): Promise<Failure | Response | undefined> => {
  const { request, path } = context;
  if (!page) return missing(path);
  if (!takes(page, request)) return wrongMethod(path, allowOf(page), request.method);
  const forbidden = page.forbid?.(context);
  if (forbidden) return forbidden;
  return (await page.exists?.(context)) === false ? missing(path) : undefined;
};

// Refused requests have their own rate limit, so that a client without a key cannot use up the limit of its address.
const showPage = async (service: Service, page: Page | undefined, context: RequestContext): Promise<Response> => {
  const { request } = context;
  await admit(
    service,
    context,
    ({ isKnown }) => page !== undefined && takes(page, request) && !context.hasTwoHosts && (!page.needsKey || isKnown),
  );
  if (context.hasTwoHosts) {
    await count(service, context, missingPageSubject);
    throw TWO_HOSTS;
  }
  if (page?.isFree && takes(page, request)) return page.show(context);
  const isAsked = page?.needsKey || request.headers.has('authorization');
  const unidentified = isAsked ? await identify(service, context) : undefined;
  const fault = await findFault(context, page);
  // If the key could not be looked up, it may still be valid, so the request does not count against any limit.
  const isRefused = unidentified instanceof Failure && unidentified.status === 401;
  if (page?.needsKey && !fault && unidentified && !isRefused) throw unidentified;
  const refused = fault ?? (page?.needsKey ? unidentified : undefined);
  await count(service, context, refused ? missingPageSubject : pageSubject);
  if (refused instanceof Response) return refused;
  if (refused || !page) throw refused;
  return page.show(context);
};

const lastStatus = new WeakMap<Page, number>();

const noteHealth = (page: Page, status: number): boolean => {
  const before = lastStatus.get(page) ?? 200;
  lastStatus.set(page, status);
  return status !== before;
};

export const handlePage = async (service: Service, page: Page | undefined, incoming: Incoming): Promise<Response> => {
  const context = openContext(service, undefined, incoming);
  try {
    const response = await showPage(service, page, context);
    response.headers.set('X-Request-Id', context.requestId);
    return record(service, context, response, page?.isFree && noteHealth(page, response.status));
  } catch (error) {
    const reply = await refuse(service, context, error, allowOf(page));
    return record(service, context, encodePage(reply, context.requestId));
  }
};
