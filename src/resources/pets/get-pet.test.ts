import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createTestClock, type Service, startService } from '../../../test/service.ts';

const SUNSET = '2030-12-05T00:00:00.000Z';

let service: Service;
let path: string;
beforeAll(async () => {
  service = await startService();
  const { body } = await service.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  path = `/v1/pets/${body.id}`;
});
afterAll(() => service.stop());

describe('getPet', () => {
  test('returns the requested pet', async () => {
    const { status, body } = await service.get(path);
    expect(status).toBe(200);
    expect(body).toEqual({ id: expect.any(Number), name: 'Rex', categoryId: 1, status: 'available' });
  });

  test.each(['999999', '0', '-1', '007', '+1', 'abc', '1.0', '9223372036854775808', '%31%00', '1%2F2', ' 1'])(
    'returns 404 for the unknown id %s',
    async (id) => {
      const { status, body } = await service.get(`/v1/pets/${id}`);
      expect(status).toBe(404);
      expect(body.code).toBe('not_found');
    },
  );

  test('answers HEAD like GET, without the body', async () => {
    const head = await service.call('HEAD', path);
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers.get('content-length')).toBe(String((await service.get(path)).text.length));
    expect(head.headers.get('etag')).toBe('"1"');
  });

  test.each(['"1"', 'W/"1"', '"0", "1"', '*'])('returns 304 for If-None-Match: %s', async (tag) => {
    const { status, text, headers } = await service.get(path, { headers: { 'If-None-Match': tag } });
    expect(status).toBe(304);
    expect(text).toBe('');
    expect(headers.get('etag')).toBe('"1"');
    expect(headers.get('x-ratelimit-remaining')).not.toBeNull();
  });

  test.each(['"2"', '1', '"1', ''])('returns 200 for If-None-Match: %s, which is another version', async (tag) => {
    expect((await service.get(path, { headers: { 'If-None-Match': tag } })).status).toBe(200);
  });
});

describe('the deprecation of getPet', () => {
  const expectNotice = (headers: Headers) => {
    expect(headers.get('deprecation')).toBe('@1794700800');
    expect(headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
    expect(headers.get('link')).toContain(`<${service.url('/docs')}>; rel="deprecation"`);
    expect(headers.get('link')).toContain(`<${service.url('/v1/pets')}>; rel="successor-version"`);
  };

  test('is in the headers of every response of that path and method', async () => {
    expectNotice((await service.get(path)).headers);
    expectNotice((await service.call('HEAD', path)).headers);
    expectNotice((await service.get('/v1/pets/999999')).headers);
    expectNotice((await service.get(path, { key: null })).headers);
    expectNotice((await service.get(path, { headers: { 'If-None-Match': '*' } })).headers);
  });

  test('is not in the headers of other responses', async () => {
    expect((await service.get('/v1/pets')).headers.get('deprecation')).toBeNull();
    expect((await service.call('PUT', path)).headers.get('deprecation')).toBeNull();
  });

  test('ends with 410 from the moment of the sunset', async () => {
    const clock = createTestClock(SUNSET);
    const later = await startService({ clock });
    clock.advance(-1);
    expect((await later.get('/v1/pets/1')).status).toBe(404);
    clock.advance(1);
    for (const id of ['1', 'abc']) {
      const { status, body, headers } = await later.get(`/v1/pets/${id}`);
      expect(status).toBe(410);
      expect(body.code).toBe('operation_removed');
      expect(headers.get('sunset')).not.toBeNull();
    }
    expect((await later.call('HEAD', '/v1/pets/1')).status).toBe(410);
    expect((await later.get('/v1/pets?ids=1')).status).toBe(200);
    await later.stop();
  });

  test('can be rehearsed on staging', async () => {
    const environment = { PETSTORE_ENVIRONMENT: 'staging', PETSTORE_REHEARSE_DATE: SUNSET };
    const staging = await startService({ environment });
    expect((await staging.get('/v1/pets/1')).status).toBe(410);
    await staging.stop();
  });
});
