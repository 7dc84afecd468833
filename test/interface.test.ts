import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { interfaceSuite } from './interface.suite.ts';
import { type Service, startService } from './service.ts';

interfaceSuite(startService);

describe('Limits', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  test('every response carries X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset', async () => {
    const key = await service.issueKey({ plan: 'free' });
    const reset = String(service.clock() / 1000 + 60);
    for (const [index, path] of ['/v1/pets', '/v1/pets/abc', '/v1/nowhere', '/v1/pets?limit=0'].entries()) {
      const { headers } = await service.get(path, { key });
      expect(headers.get('x-ratelimit-limit')).toBe('60');
      expect(headers.get('x-ratelimit-remaining')).toBe(String(59 - index));
      expect(headers.get('x-ratelimit-reset')).toBe(reset);
    }
  });

  test('a request over the limit gets 429 and the time to wait in Retry-After', async () => {
    const key = await service.issueKey({ plan: 'enterprise', limits: { perMinute: 1, perDay: 9 } });
    expect((await service.get('/v1/pets', { key })).status).toBe(200);
    service.clock.advance(20_500);
    const { status, headers, body } = await service.get('/v1/pets', { key });
    expect(status).toBe(429);
    expect(body.status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(40);
  });

  test('repeated requests after a 429 lead to a temporary ban of the API key', async () => {
    const key = await service.issueKey({ plan: 'enterprise', limits: { perMinute: 3, perDay: 9 } });
    const codes: string[] = [];
    for (let index = 0; index < 7; index += 1) codes.push((await service.get('/v1/pets', { key })).body.code);
    expect(codes.slice(3)).toEqual(['rate_limit_exceeded', 'rate_limit_exceeded', 'api_key_banned', 'api_key_banned']);
    service.clock.advance(120_000);
    expect((await service.get('/v1/pets', { key })).status).toBe(200);
  });
});
