import { Database, type Statement } from 'bun:sqlite';
import { fdatasync, openSync, write } from 'node:fs';
import { createRandomText } from '../src/kernel/ids.ts';
import { createKeyIndex } from '../src/storage/sqlite/key-index.ts';

/**
 * This server is the benchmark's floor: for four kinds of requests, it does the same durable work as the service, as
 * directly as the runtime allows. The tables, statements, headers, limits, log lines, group commit and syncs are the
 * same. The service's layers are left out, and only requests that succeed are handled. A test compares the responses
 * and rows of this server with those of the service.
 */
const given = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};
const path = given('FLOOR_DATABASE');
const KEY_ID = given('FLOOR_KEY_ID');
const AUTHORIZATION = `Bearer ${given('FLOOR_KEY')}`;
const LIMITS = { minute: Number(given('FLOOR_PER_MINUTE')), day: Number(given('FLOOR_PER_DAY')) };

const STORE = 1n;
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
const LARGEST_GROUP = 256;
const CHECKPOINT_GROUPS = 2000;

const open = (pragmas: string): Database => {
  const file = new Database(path, { readwrite: true, strict: true, safeIntegers: true });
  file.run(pragmas);
  return file;
};
const writer = open(
  `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -16000;
   PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY`,
);
const reader = open('PRAGMA query_only = ON; PRAGMA cache_size = -16000');
/** Writes to the database, so that SQLite creates the WAL if it is missing. */
writer.run('UPDATE stores SET last_sequence = last_sequence WHERE id = 1');
const wal = openSync(`${path}-wal`, 'r+');

const COLUMNS = 'id, name, category_id, status, version, held_by_order_id';
type PetRow = { id: bigint; name: string; category_id: bigint; status: string; version: bigint };

const reading = {
  begin: reader.prepare('BEGIN'),
  commit: reader.prepare('COMMIT'),
  touch: reader.prepare('SELECT 1 FROM sqlite_schema LIMIT 1'),
  pet: reader.prepare(`SELECT ${COLUMNS} FROM pets WHERE store_id = ?1 AND id = ?2`),
  list: reader.prepare(
    `SELECT ${COLUMNS} FROM pets WHERE store_id = ?1 AND status = ?2 AND (id) > (?3) ORDER BY id asc LIMIT +?4`,
  ),
};
const writing = {
  begin: writer.prepare('BEGIN IMMEDIATE'),
  commit: writer.prepare('COMMIT'),
  category: writer.prepare('INSERT INTO categories (store_id, id) VALUES (?1, ?2) ON CONFLICT DO NOTHING'),
  pet: writer.prepare(`INSERT INTO pets (store_id, ${COLUMNS}, folded_name, created_at, updated_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL, ?7, ?8, ?8)`),
  event: writer.prepare(`INSERT INTO events (store_id, sequence, id, type, occurred_at, data, actor_key_id, request_id,
    traceparent, address, pet_id, order_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, NULL, NULL, ?9, NULL)`),
  ids: writer.prepare(`INSERT INTO ids (store_id, kind, highest) VALUES (?1, 'pets', ?2)
    ON CONFLICT (store_id, kind) DO UPDATE SET highest = excluded.highest`),
  inventory: writer.prepare(`INSERT INTO inventory (store_id, status, slot, count) VALUES (?1, ?2, 0, ?3)
    ON CONFLICT (store_id, status, slot) DO UPDATE SET count = excluded.count`),
  sequence: writer.prepare('UPDATE stores SET last_sequence = ?2 WHERE id = ?1'),
  counts: writer.prepare(`INSERT INTO event_counts (store_id, period, start, kind, count) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (store_id, period, start, kind) DO UPDATE SET count = excluded.count`),
  keep: writer.prepare(`INSERT INTO idempotency
    (store_id, key_id, idempotency_key, fingerprint, body, version, location, kept_at, key_hash, rowid)
    VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6, ?7, ?8, ?9)`),
} satisfies Record<string, Statement>;

const total = (text: string): bigint => (writer.prepare(text).get() as { total: bigint } | null)?.total ?? 0n;
const counters = {
  id: total("SELECT highest AS total FROM ids WHERE store_id = 1 AND kind = 'pets'"),
  sequence: total('SELECT last_sequence AS total FROM stores WHERE id = 1'),
  available: total("SELECT count AS total FROM inventory WHERE store_id = 1 AND status = 'available' AND slot = 0"),
};

const keyIndex = createKeyIndex(Number(total('SELECT coalesce(max(rowid), 0) AS total FROM idempotency')));

const countBefore = (period: string, start: number): bigint =>
  total(`SELECT count AS total FROM event_counts
    WHERE store_id = 1 AND period = '${period}' AND start = ${start} AND kind = 'pet.created'`);
const created = [
  { period: 'hour', ms: 3_600_000, start: 0, count: 0n },
  { period: 'day', ms: DAY_MS, start: 0, count: 0n },
];
const countCreated = (now: number, count: number): void => {
  for (const one of created) {
    const start = now - (now % one.ms);
    if (start !== one.start) [one.start, one.count] = [start, countBefore(one.period, start)];
    one.count += BigInt(count);
    writing.counts.run(STORE, one.period, start, 'pet.created', one.count);
  }
};

const randomText = createRandomText((count) => crypto.getRandomValues(new Uint8Array(count)));

const BUFFER_BYTES = 1 << 20;
let [buffer, spare] = [Buffer.allocUnsafe(BUFFER_BYTES), Buffer.allocUnsafe(BUFFER_BYTES)];
let buffered = 0;
const flush = (): void => {
  const full = buffer.subarray(0, buffered);
  [buffer, spare, buffered] = [spare, buffer, 0];
  write(1, full, 0, full.length, null, () => undefined);
};

const THOUSANDTHS = Array.from({ length: 1000 }, (_, index) => `.${String(index).padStart(3, '0')}`);
let [shownAt, shownTime] = [0, ''];
const logRequest = (call: Call, method: string, pathname: string, status: number, operation: string): void => {
  const now = Date.now();
  if (now !== shownAt) [shownAt, shownTime] = [now, new Date(now).toISOString()];
  const micros = Math.round((performance.now() - call.startedAt) * 1000);
  const line =
    `{"time":"${shownTime}","level":"info","event":"request","requestId":"${call.id}","method":"${method}",` +
    `"path":"${pathname}","status":${status},"durationMs":${Math.floor(micros / 1000)}${THOUSANDTHS[micros % 1000]},` +
    `"operation":"${operation}","keyId":"${KEY_ID}","address":"${call.address}"}\n`;
  if (buffered + line.length * 3 > BUFFER_BYTES) return;
  if (buffered === 0) setTimeout(flush, 50);
  buffered += buffer.write(line, buffered, 'latin1');
  const hourAndStatus = `${Math.floor(now / 3_600_000)} ${status}`;
  usage.set(hourAndStatus, (usage.get(hourAndStatus) ?? 0) + 1);
};
const usage = new Map<string, number>();

type Tally = { used: number; until: number };
const tallies = new Map([[KEY_ID, { minute: { used: 0, until: 0 }, day: { used: 0, until: 0 } }]]);
const takeFrom = (tally: Tally, lengthMs: number, now: number): void => {
  if (now >= tally.until) [tally.used, tally.until] = [0, now + lengthMs];
  tally.used += 1;
};

type Call = { id: string; startedAt: number; now: number; minute: Tally; day: Tally; address: string; base: string };

const HOST = /^(?:[a-z0-9._~-]+|\[[0-9a-f:.]+\])(?::[0-9]+)?$/i;
let [lastHost, lastBase] = ['', ''];

const begin = (request: Request, server: Bun.Server<undefined>): Call | undefined => {
  const startedAt = performance.now();
  const { headers } = request;
  if (headers.get('authorization') !== AUTHORIZATION) return undefined;
  const host = headers.get('host') ?? '';
  if (host !== lastHost) [lastHost, lastBase] = [host, HOST.test(host) ? `http://${host}` : ''];
  for (const name of ['x-forwarded-proto', 'origin', 'traceparent', 'x-request-id']) headers.get(name);
  const now = Date.now();
  const tally = tallies.get(KEY_ID);
  if (!tally) return undefined;
  takeFrom(tally.minute, MINUTE_MS, now);
  takeFrom(tally.day, DAY_MS, now);
  if (tally.minute.used > LIMITS.minute || tally.day.used > LIMITS.day) return undefined;
  const address = server.requestIP(request)?.address ?? '';
  return { id: `req_${randomText(24)}`, startedAt, now, ...tally, address, base: lastBase };
};

const SHARED_HEADERS = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Origin',
  'X-Content-Type-Options': 'nosniff',
  'Content-Type': 'application/json',
  'X-RateLimit-Limit': String(LIMITS.minute),
  'RateLimit-Policy': `"minute";q=${LIMITS.minute};w=60, "day";q=${LIMITS.day};w=86400`,
};
const DEPRECATED = { Deprecation: '@1794700800', Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' };
const HEADERS = {
  get: new Headers({ ...SHARED_HEADERS, ...DEPRECATED }),
  list: new Headers(SHARED_HEADERS),
  create: new Headers(SHARED_HEADERS),
};

const respond = (call: Call, body: string, status: number, headers: Headers): Response => {
  const { now, minute, day } = call;
  const left = { minute: LIMITS.minute - minute.used, day: LIMITS.day - day.used };
  const seconds = { minute: Math.ceil((minute.until - now) / 1000), day: Math.ceil((day.until - now) / 1000) };
  headers.set('X-RateLimit-Remaining', String(left.minute));
  headers.set('X-RateLimit-Reset', String(Math.ceil(minute.until / 1000)));
  headers.set('RateLimit', `"minute";r=${left.minute};t=${seconds.minute}, "day";r=${left.day};t=${seconds.day}`);
  headers.set('X-Request-Id', call.id);
  return new Response(body, { status, headers });
};
const refuse = (status: number): Response => new Response(null, { status });

/**
 * All reads in one turn of the event loop share one read transaction. The read transaction that is open during a commit
 * stays open until the commit is on disk. Until then, reads return the old data, because a crash could undo the commit.
 */
let [isReading, isHeld] = [false, false];
const endRead = (): void => {
  if (!isReading || isHeld) return;
  isReading = false;
  reading.commit.run();
};
const beginRead = (): void => {
  if (isReading) return;
  reading.begin.run();
  isReading = true;
  setImmediate(endRead);
};

const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const quote = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));
const showPet = ({ id, name, category_id, status }: Omit<PetRow, 'version'>): string =>
  `{"id":${id},"name":${quote(name)},"categoryId":${category_id},"status":"${status}"}`;

const ID = /^(0|-?[1-9][0-9]{0,18})$/;

const getPet = (request: Bun.BunRequest<'/v1/pets/:petId'>, server: Bun.Server<undefined>): Response => {
  const call = begin(request, server);
  if (!call) return refuse(401);
  const { petId } = request.params;
  if (!ID.test(petId)) return refuse(404);
  beginRead();
  const row = reading.pet.get(STORE, BigInt(petId)) as PetRow | null;
  if (!row) return refuse(404);
  const tag = `"${row.version}"`;
  if (request.headers.get('if-none-match') === tag) return refuse(304);
  HEADERS.get.set('ETag', tag);
  HEADERS.get.set(
    'Link',
    `<${call.base}/docs>; rel="deprecation"; type="text/html", <${call.base}/v1/pets>; rel="successor-version"`,
  );
  const response = respond(call, showPet(row), 200, HEADERS.get);
  logRequest(call, 'GET', `/v1/pets/${petId}`, 200, 'getPet');
  return response;
};

const cursorAt = (status: string, id: string): string => {
  const seal = Bun.hash.crc32(`[1,"listPets","{\\"status\\":\\"${status}\\"}","asc","${id}"]`);
  return Buffer.from(`1.${seal.toString(36)}.${id}`).toString('base64url');
};

const listPets = (request: Request, server: Bun.Server<undefined>): Response => {
  const call = begin(request, server);
  if (!call) return refuse(401);
  const query: Record<string, string> = {};
  for (const pair of request.url.slice(request.url.indexOf('?') + 1).split('&')) {
    const end = pair.indexOf('=');
    query[pair.slice(0, end)] = pair.slice(end + 1);
  }
  const { status = '', cursor } = query;
  const limit = Number(query.limit);
  let after = '0';
  if (cursor !== undefined) {
    const text = Buffer.from(cursor, 'base64url').toString();
    after = text.slice(text.indexOf('.', 2) + 1);
    if (cursorAt(status, after) !== cursor) return refuse(400);
  }
  request.headers.get('if-none-match');
  beginRead();
  const rows = reading.list.all(STORE, status, BigInt(after), BigInt(limit + 1)) as PetRow[];
  let body = '[';
  const shown = Math.min(rows.length, limit);
  for (let index = 0; index < shown; index += 1) body += `${index ? ',' : ''}${showPet(rows[index] as PetRow)}`;
  const first = `${call.base}/v1/pets?limit=${limit}&status=${status}`;
  const next =
    rows.length > limit ? `<${first}&cursor=${cursorAt(status, String(rows[limit - 1]?.id))}>; rel="next", ` : '';
  HEADERS.list.set('Link', `${next}<${first}>; rel="first"`);
  const response = respond(call, `${body}]`, 200, HEADERS.list);
  logRequest(call, 'GET', '/v1/pets', 200, 'listPets');
  return response;
};

type NewPet = { name: string; categoryId: number; status: 'available' };
type Waiting = NewPet & {
  call: Call;
  key: string | null;
  fingerprint: Uint8Array | undefined;
  body: string;
  id: bigint;
  resolve(response: Response): void;
};
const queue: Waiting[] = [];
let [isSyncing, isScheduled, groups] = [false, false, 0];

const runTransaction = (one: Waiting, now: number): void => {
  const { call, key, fingerprint, name, categoryId, status } = one;
  const keyName = `${STORE} ${KEY_ID} ${key}`;
  if (key !== null && keyIndex.find(keyName).length > 0) throw new Error('this server replays no responses');
  counters.id += 1n;
  counters.sequence += 1n;
  counters.available += 1n;
  one.id = counters.id;
  const category = BigInt(categoryId);
  writing.category.run(STORE, category);
  const folded = name.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
  writing.pet.run(STORE, one.id, name, category, status, 1n, folded, now);
  one.body = showPet({ id: one.id, name, category_id: category, status });
  const data = `{"object":${one.body}}`;
  const eventId = `evt_${randomText(24)}`;
  writing.event.run(STORE, counters.sequence, eventId, 'pet.created', now, data, KEY_ID, call.id, one.id);
  if (key === null || !fingerprint) return;
  const { hash, row } = keyIndex.addNew(keyName);
  writing.keep.run(STORE, KEY_ID, key, fingerprint, one.body, `/pets/${one.id}`, now, hash, row);
};

const answerGroup = (group: readonly Waiting[]): void => {
  for (const { call, body, id, resolve } of group) {
    HEADERS.create.set('ETag', '"1"');
    HEADERS.create.set('Location', `${call.base}/v1/pets/${id}`);
    resolve(respond(call, body, 201, HEADERS.create));
    logRequest(call, 'POST', '/v1/pets', 201, 'createPet');
  }
};

const runGroup = (): void => {
  isScheduled = false;
  if (isSyncing || queue.length === 0) return;
  const group = queue.splice(0, LARGEST_GROUP);
  writing.begin.run();
  const now = Date.now();
  for (const one of group) runTransaction(one, now);
  writing.ids.run(STORE, counters.id);
  writing.inventory.run(STORE, 'available', counters.available);
  writing.sequence.run(STORE, counters.sequence);
  countCreated(now, group.length);
  beginRead();
  reading.touch.get();
  isHeld = true;
  writing.commit.run();
  isSyncing = true;
  fdatasync(wal, (error) => {
    if (error) throw error;
    [isSyncing, isHeld] = [false, false];
    endRead();
    groups += 1;
    if (groups % CHECKPOINT_GROUPS === 0) writer.run('PRAGMA wal_checkpoint(PASSIVE)');
    runGroup();
    answerGroup(group);
  });
};

const decoder = new TextDecoder('utf-8', { fatal: true });

const createPet = async (request: Request, server: Bun.Server<undefined>): Promise<Response> => {
  const call = begin(request, server);
  if (!call) return refuse(401);
  const { headers } = request;
  if (headers.get('content-type') !== 'application/json' || headers.get('content-encoding')) return refuse(415);
  if (Number(headers.get('content-length')) > 65_536) return refuse(413);
  const key = headers.get('idempotency-key');
  const bytes = new Uint8Array(await request.arrayBuffer());
  const { name, categoryId, status = 'available' } = JSON.parse(decoder.decode(bytes)) as NewPet;
  const isValid = typeof name === 'string' && name.length <= 255 && /\S/.test(name) && Number.isSafeInteger(categoryId);
  if (!isValid || status !== 'available') return refuse(400);
  const fingerprint =
    key === null ? undefined : new Bun.CryptoHasher('sha256').update('POST /v1/pets?\n').update(bytes).digest();
  return new Promise((resolve) => {
    queue.push({ call, name, categoryId, status, key, fingerprint, resolve, body: '', id: 0n });
    if (isScheduled || isSyncing) return;
    isScheduled = true;
    setImmediate(runGroup);
  });
};

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT),
  development: false,
  idleTimeout: 30,
  routes: { '/v1/pets/:petId': { GET: getPet }, '/v1/pets': { GET: listPets, POST: createPet } },
  fetch: () => refuse(404),
});
