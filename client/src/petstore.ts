import { type Answer, createAnswer } from './answer.ts';
import { type Caller, createCaller } from './call.ts';
import { OPERATIONS, type Operation, type Operations } from './generated/operations.ts';
import type { RateLimits } from './limits.ts';
import { createList, type List } from './list.ts';
import { type PetstoreOptions, type RequestOptions, readOptions } from './options.ts';
import { fillPath, mergeHeaders, type PetstoreRequest } from './request.ts';
import { type StreamOptions, streamEvents } from './stream.ts';

interface Core {
  /**
   * The key's rate limits, as of the latest request that counted against them. Undefined before the first such request.
   */
  readonly limits: RateLimits | undefined;
  /**
   * Sends any request, with this client's key, retries and error classes. Use this for operations that have no method
   * of their own in this version.
   */
  request<Data = unknown>(request: PetstoreRequest): Answer<Data>;
  /** Reads any list page by page. Use this for operations that have no method of their own in this version. */
  list<Item = unknown>(request: Omit<PetstoreRequest, 'method' | 'body'>): List<Item>;
  /** Creates a copy of this client with some options changed. The given `headers` are added to the existing headers. */
  withOptions(options?: Partial<PetstoreOptions>): Petstore;
}

export type Petstore = Core & Operations;

/** A method's arguments are the ids in the path, then the body or query, then the options. */
const createMethod = (caller: Caller, [method, path, takes]: Operation) => {
  if (takes === 'stream') return (options?: StreamOptions) => streamEvents(caller, options);
  const ids = path.split('{').length - 1;
  return (...given: unknown[]) => {
    const rest = given.slice(ids);
    const input = takes === undefined ? undefined : rest.shift();
    const options = rest[0] as RequestOptions | undefined;
    // `ask` is async, so that invalid arguments reject the promise, as every other failure does.
    const ask = async (part: object) =>
      caller.call({ ...options, ...part, method, path: fillPath(path, given.slice(0, ids)) });
    if (takes === 'list') return createList((query) => ask({ query }), input ?? {});
    return createAnswer(ask(takes === 'body' ? { body: input } : { query: input }));
  };
};

class PetstoreClient implements Core {
  readonly #caller: Caller;
  readonly #options: PetstoreOptions;

  constructor(options: PetstoreOptions) {
    const caller = createCaller(readOptions(options));
    this.#caller = caller;
    this.#options = options;
    const groups = Object.entries<Record<string, Operation>>(OPERATIONS).map(([group, operations]) => {
      const methods = Object.entries(operations).map(([name, operation]) => [name, createMethod(caller, operation)]);
      return [group, Object.fromEntries(methods)];
    });
    Object.assign(this, Object.fromEntries(groups));
  }

  withOptions(options: Partial<PetstoreOptions> = {}): Petstore {
    const headers = mergeHeaders(this.#options.headers, options.headers);
    return new Petstore({ ...this.#options, ...options, headers });
  }

  get limits(): RateLimits | undefined {
    return this.#caller.limits();
  }

  request<Data>(request: PetstoreRequest): Answer<Data> {
    return createAnswer(this.#caller.call(request)) as Answer<Data>;
  }

  list<Item>(request: PetstoreRequest): List<Item> {
    return createList<Item>((query) => this.#caller.call({ ...request, query }), request.query ?? {});
  }
}

export const Petstore = PetstoreClient as unknown as new (options: PetstoreOptions) => Petstore;
