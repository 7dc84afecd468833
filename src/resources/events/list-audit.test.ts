import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService, type TestResponse } from '../../../test/service.ts';

let service: Service;
let adminId: string;
beforeAll(async () => {
  service = await startService({ environment: { PETSTORE_TRUST_PROXY: '127.0.0.1' } });
  adminId = (await service.get('/v1/keys/me')).body.id;
});
afterAll(() => service.stop());

type Entry = { id: string; type: string; timestamp: string; data: any; [field: string]: unknown };

const nextOf = ({ headers }: TestResponse): string | undefined =>
  /<http:\/\/[^/]+([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

const walk = async (query: string): Promise<{ entries: Entry[]; pages: number }> => {
  const entries: Entry[] = [];
  let pages = 0;
  for (let next: string | undefined = `/v1/audit?${query}`; next; pages += 1) {
    const response: TestResponse = await service.get(next);
    expect(response.status).toBe(200);
    entries.push(...response.body);
    next = nextOf(response);
  }
  return { entries, pages };
};

const trailOf = async (keyId: string): Promise<Entry[]> =>
  (await walk('limit=100')).entries.filter(({ data }) => data.object.id === keyId);

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

describe('listAudit', () => {
  test('shows the actor, change, time and address of every key change', async () => {
    const operator = await service.issueKey({ scopes: ['keys:write'] });
    const operatorId = (await service.get('/v1/keys/me', { key: operator })).body.id;
    const steps: [string, (path: string) => Promise<TestResponse>][] = [
      [
        'key.updated',
        (path) => service.call('PATCH', path, { body: { name: 'B' }, key: operator, ...from('192.0.2.2') }),
      ],
      ['key.rotated', (path) => service.post(`${path}/rotate`, {}, from('192.0.2.3'))],
      ['key.revoked', (path) => service.call('DELETE', path, from('2001:db8::4'))],
    ];
    const times = [new Date(service.clock()).toISOString()];
    const created = await service.post('/v1/keys', { name: 'A', plan: 'free', storeId: 5 }, from('192.0.2.1'));
    const { key, ...object } = created.body;
    const answers = [created];
    for (const [, step] of steps) {
      service.clock.advance(1);
      times.push(new Date(service.clock()).toISOString());
      answers.push(await step(`/v1/keys/${object.id}`));
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 204]);

    const trail = await trailOf(object.id);
    expect(trail[0]).toEqual({
      id: expect.stringMatching(/^evt_[0-9A-Za-z]{24}$/),
      type: 'key.created',
      timestamp: times[0] as string,
      storeId: 5,
      data: { object },
      actor: { keyId: adminId },
      address: '192.0.2.1',
      requestId: created.headers.get('x-request-id'),
    });
    expect(trail.map(({ type }) => type)).toEqual(['key.created', ...steps.map(([type]) => type)]);
    expect(trail.map(({ timestamp }) => timestamp)).toEqual(times);
    expect(trail.map(({ address }) => address)).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::4']);
    expect(trail.map(({ actor }) => actor)).toEqual(
      [adminId, operatorId, adminId, adminId].map((keyId) => ({ keyId })),
    );
    expect(trail.map(({ requestId }) => requestId)).toEqual(answers.map(({ headers }) => headers.get('x-request-id')));
    expect(trail[1]?.data).toMatchObject({ object: { name: 'B' }, previous: { name: 'A' } });
    expect(trail[3]?.data).toMatchObject({ object: { revokedAt: times[3] }, previous: { revokedAt: null } });
  });

  test('shows a ban and the admin key as changes by the service', async () => {
    const { id, key } = (
      await service.post('/v1/keys', { name: 'x', plan: 'enterprise', limits: { perMinute: 1, perDay: 9 } })
    ).body;
    await service.get('/v1/pets', { key });
    await service.get('/v1/pets', { key });
    const own = { actor: null, address: null, requestId: null };
    const trail = (await trailOf(id)).find(({ type }) => type === 'key.banned');
    const bannedUntil = new Date(service.clock() + 120_000).toISOString();
    expect(trail).toMatchObject({ ...own, storeId: 1, data: { object: { id, bannedUntil } } });
    expect(await trailOf(adminId)).toMatchObject([{ ...own, type: 'key.created' }]);
  });

  test('spans all stores and keeps every digit of their ids', async () => {
    service.clock.advance(1);
    const { body } = await service.post('/v1/keys', '{"name":"x","plan":"free","storeId":9223372036854775807}');
    const { text } = await service.get('/v1/audit?limit=1&order=desc');
    expect(text).toContain(`"id":"${body.id}"`);
    expect(text.match(/"storeId":9223372036854775807[,}]/g)).toHaveLength(2);
  });

  test('never shows a secret', async () => {
    const { id, key } = (await service.post('/v1/keys', { name: 'x', plan: 'free' })).body;
    const rotated = (await service.post(`/v1/keys/${id}/rotate`, {})).body.key;
    const { text } = await service.get('/v1/audit?limit=100&order=desc');
    expect(text).toContain(id);
    for (const secret of [key, rotated]) expect(text).not.toContain(secret);
  });

  test('shows no events about pets, and no refused requests or changes without effect', async () => {
    const { id } = (await service.post('/v1/keys', { name: 'x', plan: 'free' })).body;
    const before = (await walk('limit=100')).entries.length;
    await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    await service.post('/v1/keys', { name: '', plan: 'free' });
    await service.call('PATCH', `/v1/keys/${id}`, { body: { name: 'x' } });
    await service.call('DELETE', `/v1/keys/${adminId}`);
    const { entries } = await walk('limit=100');
    expect(entries).toHaveLength(before);
    expect(new Set(entries.map(({ type }) => type.split('.')[0]))).toEqual(new Set(['key']));
  });

  test.each(['asc', 'desc'])(
    'shows each of many entries with the same time exactly once over all pages, %s',
    async (order) => {
      service.clock.advance(1000);
      await Promise.all(Array.from({ length: 25 }, (_, at) => service.issueKey({ storeId: 1 + (at % 3) })));
      service.clock.advance(1000);
      await service.issueKey();
      const { entries: all } = await walk('limit=100');
      const { entries, pages } = await walk(`limit=7&order=${order}`);
      expect(pages).toBe(Math.ceil(all.length / 7));
      expect(entries).toEqual(order === 'asc' ? all : all.toReversed());
      expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
      const times = all.map(({ timestamp }) => timestamp);
      expect(times).toEqual(times.toSorted());
      expect(new Set(times).size).toBeLessThan(times.length - 20);
    },
  );

  test.each(['asc', 'desc'])('pages past a store with the largest possible id, %s', async (order) => {
    await service.post('/v1/keys', '{"name":"far","plan":"free","storeId":9223372036854775807}');
    await service.issueKey();
    const { entries: all } = await walk('limit=100');
    const { entries } = await walk(`limit=1&order=${order}`);
    expect(entries).toHaveLength(all.length);
  });

  test('requires ops:read', async () => {
    const key = await service.issueKey({ scopes: ['keys:write', 'events:read'] });
    expectError(await service.get('/v1/audit', { key }), 'insufficient_scope', 403);
    const watcher = await service.issueKey({ scopes: ['ops:read'] });
    expect((await service.get('/v1/audit', { key: watcher })).status).toBe(200);
  });
});
