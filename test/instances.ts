import { parseJson } from '../src/kernel/json.ts';
import { ADMIN_KEY } from './admin-key.ts';
import { DATABASE_TIMEOUT_MS, PATIENT_MS } from './patience.ts';
import { createEmptyDatabase, createPostgresDatabase } from './postgres-database.ts';
import { createWorkbench, PROGRAM, type Program } from './program.ts';
import type { Ask, TestResponse } from './service.ts';

type Options = {
  count: number;
  isEmpty?: boolean;
  /** URL of a PostgreSQL server that the test may break, because no other test uses it. */
  server?: string;
  createDatabase?: () => ReturnType<typeof createEmptyDatabase>;
  environment?: Record<string, string>;
  databaseUrl?(url: string): string;
};

const ask = async (
  origin: string,
  method: string,
  path: string,
  { key = ADMIN_KEY, body, headers }: Ask = {},
): Promise<TestResponse> => {
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: text === '' ? undefined : parseJson(text) };
};

export type Instance = {
  origin: string;
  program: Program;
  call(method: string, path: string, asked?: Ask): Promise<TestResponse>;
};

export const startInstances = async ({
  count,
  isEmpty = false,
  server,
  createDatabase = () => (isEmpty || server ? createEmptyDatabase(server) : createPostgresDatabase('production')),
  environment = {},
  databaseUrl = (url) => url,
}: Options) => {
  const bench = createWorkbench();
  const { url, drop } = await createDatabase();

  const start = async (more: Record<string, string> = {}, command = PROGRAM): Promise<Instance> => {
    const settings = {
      DATABASE_URL: databaseUrl(url),
      PETSTORE_ADMIN_KEY: ADMIN_KEY,
      PETSTORE_DATABASE_TIMEOUT_MS: String(server ? DATABASE_TIMEOUT_MS : PATIENT_MS),
      ...environment,
      ...more,
    };
    const program = bench.start({ directory: bench.directory(), environment: settings, command });
    const origin = await program.origin();
    return { origin, program, call: (method, path, asked) => ask(origin, method, path, asked) };
  };
  const instances = await Promise.all(Array.from({ length: count }, () => start()));

  return {
    url,
    instances,
    start,

    async issueKey(fields: object = {}): Promise<{ id: string; key: string }> {
      const [first] = instances;
      const response = await first?.call('POST', '/v1/keys', {
        body: { name: 'test', plan: 'business', storeId: 1, ...fields },
      });
      return response?.body;
    },

    async stop() {
      await bench.clear();
      await drop();
    },
  };
};

export type Instances = Awaited<ReturnType<typeof startInstances>>;
