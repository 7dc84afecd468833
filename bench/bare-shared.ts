import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { encodeCall, keyOf, SCRIPT } from '../src/limits/redis/script.redis.ts';
import { keySubject } from '../src/limits/window.ts';

/**
 * The baseline server on PostgreSQL and Redis. It makes the same two round trips as the service, with the same drivers and
 * the same number of connections, and sends the service's response.
 */
type Answers = Record<string, { status: number; headers: Record<string, string>; body: string }>;

const CONNECTIONS = 8;
const { BENCH_ANSWERS = '{}', BENCH_FIND = '', DATABASE_URL = '', REDIS_URL = '', PORT } = process.env;

const answers: Answers = JSON.parse(BENCH_ANSWERS);
const pool = new Pool({ connectionString: DATABASE_URL, max: CONNECTIONS });
const redis = new Redis(REDIS_URL);
const script = (await redis.script('LOAD', SCRIPT)) as string;
const words = encodeCall(keySubject({ keyId: 'bare', limits: { perMinute: 1e9, perDay: 1e11 } }), 1, 1);
const KEY = keyOf('bare');
const { status, headers, body } = answers.GET as Answers[string];

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(PORT),
  fetch: async ({ url }) => {
    const id = Number(url.slice(url.lastIndexOf('/') + 1));
    await redis.evalsha(script, 1, KEY, ...words);
    await pool.query({ name: 'find', text: BENCH_FIND, values: [1, id] });
    return new Response(body, { status, headers });
  },
});
