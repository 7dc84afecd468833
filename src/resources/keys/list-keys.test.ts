import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Service, startService } from '../../../test/service.ts';
import { encodeCursor } from '../../http/input/cursor.ts';

let service: Service;
let keys: { id: string }[];
const secrets: string[] = [];
beforeAll(async () => {
  service = await startService();
  const admin = (await service.get('/v1/keys/me')).body;
  const issue = async (fields: object) => {
    const { key, ...shown } = (await service.post('/v1/keys', { name: 'x', plan: 'free', ...fields })).body;
    secrets.push(key);
    return shown;
  };
  service.clock.advance(1);
  const together = await Promise.all(Array.from({ length: 12 }, (_, index) => issue({ storeId: (index % 3) + 1 })));
  together.sort((one, other) => (one.id < other.id ? -1 : 1));
  service.clock.advance(1);
  keys = [admin, ...together, await issue({})];
});
afterAll(() => service.stop());

const list = (query = '') => service.get(`/v1/keys?${query}`);
const next = ({ headers }: { headers: Headers }) => /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

const walk = async (query: string): Promise<string[][]> => {
  const pages: string[][] = [];
  for (let target: string | undefined = `/v1/keys?${query}`; target !== undefined; ) {
    const response = await service.get(target);
    pages.push(response.body.map(({ id }: { id: string }) => id));
    target = next(response)?.slice(service.url('').length);
  }
  return pages;
};

const ids = () => keys.map(({ id }) => id);

describe('listKeys', () => {
  test('returns the keys of all stores in order of creation, including the admin key', async () => {
    const response = await list();
    expect([response.status, response.body]).toEqual([200, keys]);
    expect(next(response)).toBeUndefined();
  });

  test('returns them in reverse with order=desc', async () => {
    expect((await list('order=desc')).body).toEqual(keys.toReversed());
  });

  test('shows no secret', async () => {
    const { text } = await list();
    for (const secret of secrets) {
      expect(text).toContain(`"last4":"${secret.slice(-4)}"`);
      expect(text).not.toContain(secret.slice(8, 38));
    }
  });

  test.each([1, 2, 5, 13, 14, 15])(
    'returns every key once in pages of %d, even if most were created in the same millisecond',
    async (limit) => {
      for (const [order, expected] of [
        ['asc', ids()],
        ['desc', ids().toReversed()],
      ] as const) {
        const pages = await walk(`limit=${limit}&order=${order}`);
        expect(pages.flat()).toEqual(expected);
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBeTrue();
      }
    },
  );

  test('continues after a key that was revoked in the meantime, and shows it as revoked', async () => {
    const first = await list('limit=3');
    const revoked = first.body[2].id;
    expect((await service.call('DELETE', `/v1/keys/${revoked}`)).status).toBe(204);
    const rest = await service.get((next(first) ?? '').slice(service.url('').length));
    expect(rest.body.map(({ id }: { id: string }) => id)).toEqual(ids().slice(3, 6));
    const again = (await list('limit=3')).body[2];
    expect([again.id, again.revokedAt]).toEqual([revoked, new Date(service.clock()).toISOString()]);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1&limit=1', 'limit'],
    ['order=up', 'order'],
  ])('refuses %s', async (query, name) => {
    const { status, body } = await list(query);
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    expect(body.message).toContain(name);
  });
});

describe('a cursor from the list of keys', () => {
  const BINDING = { list: 'listKeys', filters: '{}', order: 'asc' } as const;
  const expectRefused = async (cursor: string, query = '') => {
    const { status, body } = await list(`${query}&cursor=${encodeURIComponent(cursor)}`);
    expect([status, body.code]).toEqual([400, 'invalid_cursor']);
  };
  const cursorOf = async (query: string) => new URL(next(await list(query)) ?? '').searchParams.get('cursor') ?? '';

  test('works with any limit, but only with its own order', async () => {
    const cursor = await cursorOf('limit=2');
    const { body } = await list(`limit=4&cursor=${cursor}`);
    expect(body.map(({ id }: { id: string }) => id)).toEqual(ids().slice(2, 6));
    await expectRefused(cursor, 'order=desc');
  });

  test('does not work for another list, nor does a cursor from another list work here', async () => {
    for (const path of ['/v1/pets', '/v1/audit']) {
      const { body } = await service.get(`${path}?cursor=${await cursorOf('limit=2')}`);
      expect(body.code).toBe('invalid_cursor');
    }
    await expectRefused(encodeCursor({ ...BINDING, list: 'listAudit' }, `${service.clock()}.${ids()[3]}`));
    await expectRefused(encodeCursor({ ...BINDING, list: 'listPets' }, '7'));
  });

  test('is refused if any one character is changed', async () => {
    const cursor = await cursorOf('limit=2');
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      await expectRefused(cursor.slice(0, at) + other + cursor.slice(at + 1));
    }
  });

  // These forged cursors have correct checksums, because anyone who reads the source code can compute a checksum.
  test.each([
    '',
    '.',
    '7',
    '.key_x',
    '7.',
    '7.a b',
    "7.' OR 1=1 --",
    '-1.key_x',
    '1e3.key_x',
    `${'9'.repeat(17)}.key_x`,
  ])('is refused if it was forged for the position "%s"', (position) => expectRefused(encodeCursor(BINDING, position)));

  test('forged for a position without a key returns only the keys after it', async () => {
    const behind = async (position: string) => (await list(`limit=100&cursor=${encodeCursor(BINDING, position)}`)).body;
    expect(await behind('0.x')).toHaveLength(keys.length);
    expect(await behind(`${'9'.repeat(16)}.x`)).toEqual([]);
  });
});
