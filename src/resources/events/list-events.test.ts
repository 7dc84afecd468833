import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Service, startService } from '../../../test/service.ts';

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService();
  key = await service.issueKey({ storeId: 2, scopes: ['pets:write', 'events:read'] });
  for (let index = 0; index < 3; index += 1) {
    const { body } = await service.post('/v1/pets', `{"name":"Pet ${index}","categoryId":9223372036854775807}`, {
      key,
    });
    await service.call('PATCH', `/v1/pets/${body.id}`, { key, body: { name: 'Renamed', status: 'sold' } });
  }
});
afterAll(() => service.stop());

const types = (body: { type: string }[]) => body.map(({ type }) => type);

describe('listEvents', () => {
  test('lists events by sequence', async () => {
    const { status, body } = await service.get('/v1/events', { key });
    expect(status).toBe(200);
    const one = ['pet.created', 'pet.updated', 'pet.status_changed'];
    expect(types(body)).toEqual([...one, ...one, ...one]);
    expect(body[0]).toEqual({
      id: expect.stringMatching(/^evt_[0-9A-Za-z]{24}$/),
      sequence: 2,
      type: 'pet.created',
      timestamp: new Date(service.clock()).toISOString(),
      data: {
        object: { id: expect.any(Number), name: 'Pet 0', categoryId: 9223372036854775807n, status: 'available' },
      },
      actor: { keyId: expect.stringMatching(/^key_/) },
      requestId: expect.stringMatching(/^req_/),
    });
    expect(body[1].data.previous).toEqual({ name: 'Pet 0' });
  });

  test('filters by type, in pages and in both orders', async () => {
    const all = await service.get('/v1/events?type=pet.updated', { key });
    const sequences = all.body.map(({ sequence }: { sequence: number }) => sequence);
    expect(sequences).toEqual([3, 6, 9]);
    const page = await service.get('/v1/events?type=pet.updated&order=desc&limit=2', { key });
    expect(page.body.map(({ sequence }: { sequence: number }) => sequence)).toEqual([9, 6]);
    const [, next = ''] = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? [];
    const last = await service.get(next.slice(service.url('').length), { key });
    expect(last.body.map(({ sequence }: { sequence: number }) => sequence)).toEqual([3]);
  });

  test('refuses an unknown type', async () => {
    expect((await service.get('/v1/events?type=pet.sneezed', { key })).body.code).toBe('invalid_parameter');
  });

  test('shows key events only with keys:write, even if filtered by their type', async () => {
    const operator = await service.issueKey({ storeId: 2, scopes: ['events:read', 'keys:write'] });
    expect(types((await service.get('/v1/events?type=key.created', { key: operator })).body)).toEqual([
      'key.created',
      'key.created',
    ]);
    expect((await service.get('/v1/events?type=key.created', { key })).body).toEqual([]);
  });

  test('shows only the events of the caller’s own store', async () => {
    const { body } = await service.get('/v1/events?type=pet.created');
    expect(body).toEqual([]);
  });
});
