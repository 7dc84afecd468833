// Sends the same requests as `requests.lua`, but with autocannon on Node. The benchmark uses this program for every
// constant-rate load, and for all loads if wrk is not installed.
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

const { url, kind, key, pets, cursorFile, seconds, connections, rate } = JSON.parse(process.argv[2]);

const cursors = cursorFile ? readFileSync(cursorFile, 'utf8').trim().split('\n') : [];
const upTo = (most) => 1 + Math.floor(Math.random() * most);
const authorized = { Authorization: `Bearer ${key}` };
const body = '{"name":"Rex","categoryId":1,"status":"available"}';
const plain = {
  method: 'POST',
  path: '/v1/pets',
  headers: { ...authorized, 'Content-Type': 'application/json' },
  body,
};

const get = (path, headers = authorized) => ({ method: 'GET', path, headers, body: undefined });
/**
 * Sends a different `Host` header with each request. The links in a list contain the host, so the service cannot send a
 * cached response.
 */
const getCold = (path) => get(path, { ...authorized, Host: `h${upTo(1e9)}` });
const kinds = {
  get: () => get(`/v1/pets/${upTo(pets)}`),
  known: () => get(`/v1/pets/${cursors[upTo(cursors.length) - 1]}`),
  hot: () => get('/v1/pets?limit=20&status=available'),
  cold: () => getCold(`/v1/pets?limit=20&status=available&cursor=${cursors[upTo(cursors.length) - 1]}`),
  create: () => plain,
  once: () => ({ ...plain, headers: { ...plain.headers, 'Idempotency-Key': `${upTo(1e9)}-${upTo(1e9)}` } }),
  mixed: () => (upTo(10) === 1 ? plain : get(`/v1/pets/${upTo(pets)}`)),
  path: () => get(cursors[upTo(cursors.length) - 1]),
  post: () => ({ ...plain, path: cursors[0] }),
};

const changing = ['hot', 'create', 'post'].includes(kind)
  ? undefined
  : (request) => Object.assign(request, kinds[kind]());
/** Latencies of successful requests. Refusals are left out, because they are fast and would lower the percentiles. */
const served = [];
const running = autocannon({
  url,
  connections,
  duration: seconds,
  ...(rate ? { overallRate: rate } : {}),
  requests: [{ ...kinds[kind](), ...(changing ? { setupRequest: changing } : {}) }],
});

running.on('response', (_client, status, _bytes, ms) => {
  if (status < 300) served.push(ms);
});
const result = await running;
served.sort((a, b) => a - b);

console.log(
  JSON.stringify({
    requests: result.requests.total,
    seconds: result.duration,
    p50Ms: served[Math.floor(served.length * 0.5)] ?? 0,
    p99Ms: served[Math.floor(served.length * 0.99)] ?? 0,
    failed: result.non2xx + result.errors + result.timeouts,
  }),
);
