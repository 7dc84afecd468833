import { type Contract, METHODS } from '../kernel/contract.ts';
import type { OperationHandler } from './operation-handler.ts';

export type Route = { methods: ReadonlyMap<string, OperationHandler>; allow: string };

const ORDER = [...METHODS.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'];

export const serverPath = ({ path }: Contract): string => `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;

export const createRoutes = (operations: readonly OperationHandler[]): Map<string, Route> => {
  const byPath = Map.groupBy(operations, ({ contract }) => serverPath(contract));
  return new Map(
    [...byPath].map(([path, mounted]) => {
      const methods = new Map(mounted.map((operation) => [operation.contract.method as string, operation]));
      const get = methods.get('GET');
      if (get) methods.set('HEAD', get);
      const allow = ORDER.filter((method) => methods.has(method) || method === 'OPTIONS').join(', ');
      return [path, { methods, allow }];
    }),
  );
};

/** Preflight responses for unknown paths allow all methods. Otherwise, browsers would hide the 404 from the page. */
export const ALL_METHODS = ORDER.join(', ');
