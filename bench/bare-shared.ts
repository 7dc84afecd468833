import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { encodeCall, keyOf, SCRIPT } from '../src/limits/redis/script.redis.ts';
import { keySubject } from '../src/limits/window.ts';
import type { RecordedCreate, Varying } from './statements.ts';

/**
 * A baseline server that uses PostgreSQL and Redis. For each request, it makes the same two round trips as the service,
 * with the same drivers and the same number of connections. It then sends a response recorded from the service.
 */
type Answers = Record<string, { status: number; headers: Record<string, string>; body: string }>;

const CONNECTIONS = 8;
const { BENCH_ANSWERS = '{}', BENCH_FIND = '', BENCH_CREATE = '{}', DATABASE_URL = '', REDIS_URL = '' } = process.env;

const answers: Answers = JSON.parse(BENCH_ANSWERS);
const recorded: RecordedCreate = JSON.parse(BENCH_CREATE);
const pool = new Pool({ connectionString: DATABASE_URL, max: CONNECTIONS });
const redis = new Redis(REDIS_URL);
const script = (await redis.script('LOAD', SCRIPT)) as string;
const words = encodeCall(keySubject({ keyId: 'bare', limits: { perMinute: 1e9, perDay: 1e11 } }), 1, 1);
const KEY = keyOf('bare');

/** Id of the most recently created pet. The initial value is higher than any pet id in the database. */
let created = 1_000_000_000;

const VALUES: Record<Varying, () => string> = {
  'pet id': () => String(created),
  'event id': () => `evt_${String(created).padStart(24, '0')}`,
  // In the service, each database connection updates its own counter row. Here, the requests use these rows in turn.
  'counter slot': () => String(created % CONNECTIONS),
};

const createValues = () => {
  created += 1;
  const values = [...recorded.values];
  for (const name in VALUES)
    for (const position of recorded.varying[name as Varying]) values[position] = VALUES[name as Varying]();
  return values;
};

const answer = ({ status, headers, body }: Answers[string]) => new Response(body, { status, headers });

const queries: Record<string, (url: string) => { name: string; text: string; values: unknown[] }> = {
  GET: (url) => ({ name: 'find', text: BENCH_FIND, values: [1, Number(url.slice(url.lastIndexOf('/') + 1))] }),
  POST: () => ({ name: 'create', text: recorded.text, values: createValues() }),
};

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT),
  fetch: async ({ url, method }) => {
    await redis.evalsha(script, 1, KEY, ...words);
    const query = queries[method];
    if (query) await pool.query(query(url));
    return answer(answers[method] as Answers[string]);
  },
});
