import { relative } from 'node:path';
import { parseSync, visitorKeys } from 'oxc-parser';
import { ROOT } from './root.ts';

type Source = { file: string; line: number; name: string; isClosure: boolean };
type Counts = { files: number; functions: number; closures: number };
export type Traces = Record<'get' | 'create', Counts>;

type Node = { type: string; start: number; end: number } & Record<string, unknown>;
type Insertion = { at: number; text: string };

/**
 * Number of requests to trace, after a first request that only fills the caches. A function counts only if all of these
 * requests call it, so that functions called by timers do not count.
 */
const REQUESTS = 4;
const IDLE_MS = 200;

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

const nameOf = ({ id, key }: Node): string[] => [id, key].filter(isNode).flatMap(({ name }) => (name as string) ?? []);

export const insertCalls = (file: string, text: string, sources: Source[]): string => {
  const insertions: Insertion[] = [];
  const walk = (node: Node, outerNames: string[], isInFunction: boolean): void => {
    const names = [...outerNames, ...nameOf(node)];
    const { type, start, body } = node;
    const isFunction = FUNCTIONS.includes(type) && isNode(body);
    if (isFunction) {
      const line = text.slice(0, start).split('\n').length;
      const call = `globalThis.called?.(${sources.length})`;
      sources.push({ file, line, name: names.join('.'), isClosure: isInFunction });
      if (body.type === 'BlockStatement') insertions.push({ at: body.start + 1, text: `${call};` });
      else insertions.push({ at: body.start, text: `(${call},` }, { at: body.end, text: ')' });
    }
    const children = (visitorKeys[type] ?? []).flatMap((key) => node[key]).filter(isNode);
    for (const child of children) walk(child, names, isInFunction || isFunction);
  };
  walk(parseSync(file, text).program as unknown as Node, [], false);
  insertions.sort((one, other) => one.at - other.at);
  const parts = insertions.map(({ at, text: inserted }, index) => inserted + text.slice(at, insertions[index + 1]?.at));
  return text.slice(0, insertions[0]?.at) + parts.join('');
};

const count = (called: Source[]): Counts => ({
  files: new Set(called.map(({ file }) => file)).size,
  functions: called.length,
  closures: called.filter(({ isClosure }) => isClosure).length,
});

type Route = (...args: unknown[]) => Response | Promise<Response>;
type Options = { routes?: Record<string, Route>; fetch: Route };

const noteCalls = (): (() => Set<Source>) => {
  const sources: Source[] = [];
  let last = new Set<Source>();
  let noted: Set<Source> | undefined;
  Object.assign(globalThis, { called: (index: number) => noted?.add(sources[index] as Source) });
  Bun.plugin({
    name: 'insert calls',
    setup: (build) => {
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const text = await Bun.file(path).text();
        const file = relative(ROOT, path);
        return { contents: file.startsWith('src/') ? insertCalls(file, text, sources) : text, loader: 'ts' };
      });
    },
  });
  const end = (response: Response): Response => {
    last = noted ?? last;
    noted = undefined;
    return response;
  };
  const traced =
    (route: Route): Route =>
    (...args) => {
      noted = new Set();
      const response = route(...args);
      return response instanceof Promise ? response.then(end) : end(response);
    };
  const { serve } = Bun;
  const serveTraced = ({ routes = {}, fetch, ...options }: Options) => {
    const tracedRoutes = Object.fromEntries(Object.entries(routes).map(([path, route]) => [path, traced(route)]));
    return serve({ ...options, routes: tracedRoutes, fetch: traced(fetch) } as Parameters<typeof serve>[0]);
  };
  Object.assign(Bun, { serve: serveTraced });
  return () => last;
};

const traceRequests = async (): Promise<Record<keyof Traces, Source[]>> => {
  const lastCalls = noteCalls();
  const { createTestClock, startService } = await import('../test/service.ts');
  const { createLog } = await import('../src/ops/log.ts');
  // A fixed clock would hide work that the service does once per millisecond.
  const clock = Object.assign(() => Date.now(), createTestClock());
  const service = await startService({ clock, log: createLog('info', async () => undefined, clock) });
  const key = await service.issueKey();

  const trace = async (method: string, path: string, body?: object): Promise<Source[]> => {
    const traces: Set<Source>[] = [];
    for (let request = 0; request <= REQUESTS; request += 1) {
      await Bun.sleep(IDLE_MS);
      const { status, text } = await service.call(method, path, { key, body });
      if (status >= 300 || lastCalls().size === 0) throw new Error(`${method} ${path}: ${text}`);
      traces.push(lastCalls());
    }
    const [, first, ...others] = traces;
    return [...(first as Set<Source>)].filter((source) => others.every((calls) => calls.has(source)));
  };
  try {
    const create = await trace('POST', '/v1/pets', { name: 'Rex', categoryId: 1 });
    return { create, get: await trace('GET', '/v1/pets/1') };
  } finally {
    await service.stop();
  }
};

const describe = ({ file, line, name, isClosure }: Source): string =>
  `  ${file}:${line} ${name}${isClosure ? ' (closure)' : ''}`;

if (import.meta.main) {
  const { get, create } = await traceRequests();
  if (process.argv.includes('--list')) {
    console.log(['get', ...get.map(describe), 'create', ...create.map(describe)].join('\n'));
  }
  const counts: Traces = { get: count(get), create: count(create) };
  console.log(JSON.stringify(counts));
}
