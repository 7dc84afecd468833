import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compose } from '../src/compose/compose.ts';
import { readConfig } from '../src/config.ts';
import { CONTRACTS, contractsIn } from '../src/contracts.ts';
import type { Contract } from '../src/kernel/contract.ts';
import { createLog } from '../src/ops/log.ts';
import { ROOT, readDocument } from './documents.ts';
import { pathOf } from './operation-request.ts';
import { createTestClock, type Service, startService } from './service.ts';

const contracts = contractsIn('production');

const INTERFACE = ['GET /pets', 'POST /pets', 'GET /pets/{petId}'];

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const servedPaths = async (): Promise<string[]> => {
  const clock = createTestClock();
  const { app, close } = await compose(
    readConfig({ DATABASE_URL: `sqlite:${join(service.directory, 'another.db')}` }),
    { clock, randomBytes, log: createLog('silent', async () => undefined, clock) },
  );
  await close();
  return [...app.routes.keys()].filter((path) => path.startsWith('/v1'));
};

describe('the list of operations', () => {
  test('matches the served routes exactly', async () => {
    const paths = contracts.map(({ path }) => `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
    expect((await servedPaths()).sort()).toEqual([...new Set(paths)].sort());

    for (const [, sharing] of Map.groupBy(contracts, ({ path }) => path)) {
      const { headers } = await service.call('OPTIONS', pathOf(sharing[0] as Contract));
      const allowed = headers
        .get('allow')
        ?.split(', ')
        .filter((method) => !['HEAD', 'OPTIONS'].includes(method));
      expect(allowed?.sort()).toEqual(sharing.map(({ method }) => method).sort());
    }
  });

  type Described = { operationId: string; 'x-scope': string };
  const described = ({ paths }: { paths: Record<string, Record<string, Described>> }) =>
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, 'x-scope': scope }]) => [method, path, operationId, scope]),
    );
  const promised = (contracts: readonly Contract[]) =>
    contracts.map(({ method, path, id, scope }) => [method.toLowerCase(), path, id, scope]);

  test('matches the served OpenAPI document exactly', async () => {
    const { body } = await service.get('/openapi.json', { key: null });
    expect(described(body).sort()).toEqual(promised(contracts).sort());
  });

  test('matches the published openapi.json, including scopes', () => {
    expect(described(JSON.parse(readDocument('openapi.json'))).sort()).toEqual(promised(CONTRACTS).sort());
  });

  test('includes every contract in the source', async () => {
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
    const stated = files
      .filter((file) => /\.contracts?\.ts$/.test(file))
      .map((file) => import(join(ROOT, 'src', file)));
    const found = (await Promise.all(stated)).flatMap((exports) => Object.values<Contract>(exports));
    expect(new Set(found)).toEqual(new Set(CONTRACTS));
  });

  test('marks every operation outside the original interface as beta', () => {
    const stable = CONTRACTS.filter(({ stability }) => stability !== 'beta');
    expect(stable.map(({ method, path }) => `${method} ${path}`)).toEqual(INTERFACE);
  });

  test('names each operation and each command once', () => {
    for (const names of [contracts.map(({ id }) => id), contracts.map(({ command }) => command)]) {
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
