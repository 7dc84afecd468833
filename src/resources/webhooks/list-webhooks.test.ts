import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';

let service: Service;
let key: string;
let stranger: string;
const ids: string[] = [];
beforeAll(async () => {
  service = await startService();
  key = await service.issueKey({ storeId: 2, scopes: ['webhooks:write', 'pets:read', 'orders:read'] });
  stranger = await service.issueKey({ storeId: 3, scopes: ['webhooks:write', 'pets:read', 'orders:read'] });
  for (let index = 0; index < 9; index += 1) {
    // Groups of three webhooks are created in the same millisecond, so that only their ids can decide their order.
    if (index % 3 === 0) service.clock.advance(1);
    const { body } = await service.post('/v1/webhooks', { url: `https://example.org/${index}` }, { key });
    ids.push(body.id);
  }
  await service.post('/v1/webhooks', { url: 'https://example.org/elsewhere' }, { key: stranger });
});
afterAll(() => service.stop());

const inOrder = () => [0, 3, 6].flatMap((start) => ids.slice(start, start + 3).toSorted());

const walk = async (path: string): Promise<{ id: string }[][]> => {
  const pages: { id: string }[][] = [];
  let next: string | undefined = path;
  while (next && pages.length < 20) {
    const response = await service.get(next, { key });
    expect(response.status).toBe(200);
    pages.push(response.body);
    const [, link]: string[] = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
    next = link?.replace(/^https?:\/\/[^/]+/, '');
  }
  return pages;
};

describe('listWebhooks', () => {
  test('lists the webhooks of the store in order of creation, without secrets', async () => {
    const { status, body, text } = await service.get('/v1/webhooks', { key });
    expect(status).toBe(200);
    expect(body.map(({ id }: { id: string }) => id)).toEqual(inOrder());
    expect(Object.keys(body[0])).toEqual(['id', 'url', 'events', 'enabled', 'disabledReason', 'createdAt']);
    expect(text).not.toContain('whsec_');
  });

  test.each([1, 2, 4, 8, 9])('returns each exactly once in pages of %i, in both orders', async (limit) => {
    const rising = await walk(`/v1/webhooks?limit=${limit}`);
    expect(rising.flat().map(({ id }) => id)).toEqual(inOrder());
    expect(rising).toHaveLength(Math.ceil(9 / limit));
    const falling = await walk(`/v1/webhooks?order=desc&limit=${limit}`);
    expect(falling.flat().map(({ id }) => id)).toEqual(inOrder().reverse());
  });

  test('refuses the cursor of the other order', async () => {
    const { headers } = await service.get('/v1/webhooks?limit=2', { key });
    const [, cursor] = /cursor=([^&>]+)/.exec(headers.get('link') ?? '') ?? [];
    expectError(await service.get(`/v1/webhooks?order=desc&cursor=${cursor}`, { key }), 'invalid_cursor', 400);
  });
});

describe('a webhook of another store', () => {
  const ways: [string, string, unknown][] = [
    ['GET', '', undefined],
    ['PATCH', '', { enabled: false }],
    ['DELETE', '', undefined],
    ['POST', '/test', undefined],
    ['POST', '/rotate-secret', undefined],
    ['GET', '/deliveries', undefined],
    ['POST', `/deliveries/dlv_${'x'.repeat(24)}/redeliver`, undefined],
  ];
  test.each(ways)('returns 404 for %s …%s', async (method, path, body) => {
    const response = await service.call(method, `/v1/webhooks/${ids[0]}${path}`, { key: stranger, body });
    expectError(response, 'not_found', 404);
    expect((await service.get(`/v1/webhooks/${ids[0]}`, { key })).body.enabled).toBeTrue();
  });

  test.each(['wh_nobody', `wh_${'x'.repeat(24)}`, 'WH_', '7'])('with the unknown id %s returns 404', async (id) => {
    expectError(await service.get(`/v1/webhooks/${id}`, { key }), 'not_found', 404);
  });
});
