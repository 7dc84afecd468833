import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { ROOT } from '../check/root.ts';
import { CONTRACTS } from '../src/contracts.ts';
import { FAILURES, type FailureCode } from '../src/kernel/failure.ts';
import { expectError } from './expect-answer.ts';
import { type Service, startService } from './service.ts';
import { waitFor } from './wait-for.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';

let service: Service;
beforeEach(async () => {
  service = await startService({ environment: { PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
afterEach(() => service.stop());

const read = async (): Promise<string> => (await service.get('/metrics')).text;

const sampleOf = (text: string, series: string): number => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
};
const see = async (series: string): Promise<number> => sampleOf(await read(), series);

const requests = (operation: string, status: number) =>
  `petstore_http_requests_total{operation="${operation}",status="${status}"}`;
const decisions = (subject: string, decision: string) =>
  `petstore_limiter_decisions_total{subject="${subject}",decision="${decision}"}`;

/** These metrics are tested in `test/read-replica.test.ts`. */
const OF_STANDBY = ['petstore_reads_total', 'petstore_standby_lag_seconds'];
const OF_SQLITE = [
  'petstore_backup_age_seconds',
  'petstore_commit_group_size',
  'petstore_commit_sync_seconds',
  'petstore_database_file_bytes',
  'petstore_database_wal_bytes',
  'petstore_disk_free_bytes',
];

describe('/metrics', () => {
  test('requires a key with ops:read', async () => {
    expectError(await service.get('/metrics', { key: null }), 'missing_api_key', 401);
    expectError(await service.get('/metrics', { key: 'ps_live_nothing' }), 'invalid_api_key', 401);
    expectError(await service.get('/metrics', { key: await service.issueKey() }), 'insufficient_scope', 403);
    const watcher = await service.issueKey({ scopes: ['ops:read'] });
    const shown = await service.get('/metrics', { key: watcher });
    expect(shown.status).toBe(200);
    expect(shown.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  test('does not count against the rate limit of its reader', async () => {
    const key = await service.issueKey({ plan: 'free', scopes: ['ops:read'] });
    for (let count = 0; count < 5; count += 1) await service.get('/metrics', { key });
    const { body } = await service.get('/v1/usage', { key });
    expect(JSON.stringify(body)).not.toContain('"used":5');
    expect((await service.get('/v1/audit', { key })).headers.get('x-ratelimit-remaining')).toBe('59');
  });

  test('counts requests by operation and status', async () => {
    const key = await service.issueKey();
    for (let count = 0; count < 3; count += 1) await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key });
    await service.post('/v1/pets', { name: '' }, { key });
    await service.get('/v1/nowhere', { key });
    await service.get('/v1/elsewhere', { key });
    await service.get('/nowhere');
    const text = await read();
    expect(sampleOf(text, requests('createPet', 201))).toBe(3);
    expect(sampleOf(text, requests('createPet', 400))).toBe(1);
    expect(sampleOf(text, requests('none', 404))).toBe(2);
    expect(sampleOf(text, requests('page', 404))).toBe(1);
    expect(sampleOf(text, 'petstore_http_request_duration_seconds_count{operation="createPet"}')).toBe(4);
    expect(sampleOf(text, 'petstore_http_request_duration_seconds_bucket{operation="createPet",le="+Inf"}')).toBe(4);
  });

  test('counts errors by code, with every code present from the start', async () => {
    const errors = (code: FailureCode) =>
      `petstore_http_errors_total{code="${code}",status="${FAILURES[code].status}"}`;
    const before = await read();
    for (const code of Object.keys(FAILURES) as FailureCode[]) expect(before).toContain(`\n${errors(code)} 0\n`);
    await service.post('/v1/pets', { name: '' });
    await service.get('/v1/pets/404404');
    await service.get('/v1/nowhere');
    await service.get('/nowhere');
    await service.get('/v1/pets', { key: null });
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    const after = await read();
    const rose = [...after.matchAll(/^petstore_http_errors_total\{code="(\w+)",status="\d+"\} ([1-9]\d*)$/gm)];
    expect(Object.fromEntries(rose.map(([, code, count]) => [code, Number(count)]))).toEqual({
      invalid_request: 1,
      not_found: 1,
      route_not_found: 2,
      missing_api_key: 1,
    });
  });

  test('counts requests that the limiter admits and, by reason, those that it refuses', async () => {
    const key = await service.issueKey({ plan: 'enterprise', limits: { perMinute: 3, perDay: 100 } });
    const before = await read();
    for (let count = 0; count < 7; count += 1) await service.get('/v1/pets', { key });
    await service.get('/v1/pets', { key: null });
    const after = await read();
    const more = (subject: string, decision: string) =>
      sampleOf(after, decisions(subject, decision)) - sampleOf(before, decisions(subject, decision));
    expect([more('key', 'admitted'), more('key', 'minute'), more('key', 'ban')]).toEqual([3, 2, 2]);
    expect(more('address', 'admitted')).toBe(1);
    expect(sampleOf(after, requests('listPets', 429))).toBe(4);
    expect(sampleOf(after, 'petstore_http_request_duration_seconds_count{operation="listPets"}')).toBe(4);
  });

  test('shows how many streams are open', async () => {
    const key = await service.issueKey({ scopes: ['events:read'] });
    const leaving = new AbortController();
    const headers = { Authorization: `Bearer ${key}` };
    const stream = await fetch(service.url('/v1/events/stream'), { headers, signal: leaving.signal });
    expect(await see('petstore_event_streams')).toBe(1);
    expect(stream.bodyUsed).toBe(false);
    leaving.abort();
    await waitFor('the stream is closed', async () => (await see('petstore_event_streams')) === 0);
  });

  test('has only predefined label values, and nothing that a caller has sent', async () => {
    const key = await service.issueKey({ name: 'planted-name' });
    await service.get('/v1/planted-path?planted=query', { key, headers: { 'X-Request-Id': 'planted-id' } });
    await service.call('PLANT', '/v1/pets', { key });
    await service.post('/v1/pets', { name: 'planted-animal', categoryId: 1 }, { key });
    const text = await read();
    const labels = new Set([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => `${name}=${value}`));
    const ids = CONTRACTS.map(({ id }) => `operation=${id}`);
    const known = [...ids, 'operation=none', 'operation=page'];
    for (const label of labels) if (label.startsWith('operation=')) expect(known).toContain(label);
    expect(text.toLowerCase()).not.toContain('plant');
    expect(text).not.toContain(key);
    expect(text).not.toMatch(/\bkey_/);
    expect(text).not.toContain('127.0.0.1');
  });

  test('follows the Prometheus text format: each name once, with its type and samples', async () => {
    await service.get('/v1/pets');
    const text = await read();
    const names = [...text.matchAll(/^# TYPE (\S+) (counter|gauge|histogram)$/gm)].map(([, name]) => name as string);
    expect(names.length).toBeGreaterThan(15);
    expect(new Set(names).size).toBe(names.length);
    for (const line of text
      .trimEnd()
      .split('\n')
      .filter((one) => !one.startsWith('#'))) {
      expect(line).toMatch(/^[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? -?[0-9.e+-]+$/);
      const [name = ''] = /^[a-z_]+/.exec(line) ?? [];
      expect(names).toContain(names.includes(name) ? name : name.replace(/_(bucket|sum|count)$/, ''));
    }
    expect(text).toContain('petstore_build_info{version="');
  });

  test('contains exactly the metrics listed in docs/operating/monitor.md', async () => {
    const shown = [...(await read()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string);
    // Adds the metrics in `OF_SQLITE`, because the service does not report these metrics on PostgreSQL, where it does
    // not manage the database's disk.
    const everywhere = new Set([...shown, ...OF_SQLITE, ...OF_STANDBY]);
    const [, table = ''] =
      /\n## Metrics\n(.*?)\n## /s.exec(readFileSync(`${ROOT}/docs/operating/monitor.md`, 'utf8')) ?? [];
    const rows = table.split('\n').filter((row) => row.startsWith('| `'));
    const listed = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name as string),
    );
    expect(listed.sort()).toEqual([...everywhere].sort());
  });
});

describe('deliveries to webhooks', () => {
  let receiver: Receiver;
  beforeEach(() => {
    receiver = startReceiver();
  });
  afterEach(() => receiver.down());

  test('are counted by result', async () => {
    const scopes = ['pets:read', 'pets:write', 'webhooks:write'];
    const key = await service.issueKey({ scopes });
    const { status } = await service.post(
      '/v1/webhooks',
      { url: receiver.url('/counted'), events: ['pet.created'] },
      { key },
    );
    expect(status).toBe(201);
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 }, { key });
    await waitFor('the event is delivered', async () => {
      await service.runJobs();
      return (await see('petstore_webhook_attempts_total{result="delivered"}')) === 1;
    });
    expect(await see('petstore_webhook_attempts_total{result="failed"}')).toBe(0);
  });
});
