import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { type Service, startService } from '../../test/service.ts';

let service: Service;
let published: Service;
beforeAll(async () => {
  service = await startService();
  published = await startService({ environment: { PETSTORE_PUBLIC_URL: 'https://api.example.org/<b>pets' } });
});
afterAll(async () => {
  await service.stop();
  await published.stop();
});

const show = (from: Service, path: string, headers: Record<string, string> = {}) =>
  from.get(path, { key: null, headers });

const connectSources = async (from: Service): Promise<string | undefined> => {
  const { headers } = await show(from, '/docs');
  return /connect-src ([^;]+)/.exec(headers.get('content-security-policy') ?? '')?.[1];
};

describe('the first page', () => {
  test('shows a line of curl with the address at which it was read', async () => {
    expect((await show(service, '/')).text).toContain(`curl ${service.url('/v1/pets')} `);
  });

  test('shows the public address where one is set, as text and never as markup', async () => {
    expect((await show(published, '/')).text).toContain('curl https://api.example.org/&#60;b&#62;pets/v1/pets ');
  });
});

describe('the pages for people', () => {
  test.each(['/', '/docs'])(
    '%s loads nothing from elsewhere, runs no script of its own text and stands in no frame',
    async (path) => {
      const { status, headers } = await show(service, path);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      const policy = headers.get('content-security-policy')?.split('; ');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
    },
  );

  test('let requests be tried out here, and at the public address where one is set', async () => {
    expect(await connectSources(service)).toBe("'self'");
    expect(await connectSources(published)).toBe("'self' https://api.example.org");
  });
});

describe('the bundle of the reference page', () => {
  test('is the installed one, compressed for whom that suits', async () => {
    const installed = await readFile(
      new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference')),
      'utf8',
    );
    for (const encoding of ['gzip', 'identity']) {
      const { headers, text } = await show(service, '/docs/reference.js', { 'Accept-Encoding': encoding });
      expect(headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
      expect(headers.get('vary')).toBe('Accept-Encoding');
      expect(text === installed).toBe(true);
    }
  });
});

describe('the OpenAPI document', () => {
  test('names the address at which it is read, whoever has read it before', async () => {
    const servers = async (host: string) => (await show(service, '/openapi.json', { Host: host })).body.servers;
    expect(await servers('one.example')).toEqual([{ url: 'http://one.example/v1' }]);
    expect(await servers('two.example')).toEqual([{ url: 'http://two.example/v1' }]);
  });
});

describe('every page', () => {
  test.each(['/', '/docs', '/openapi.json', '/healthz', '/readyz', '/nowhere'])('%s has a request id', async (path) => {
    expect((await show(service, path)).headers.get('x-request-id')).toMatch(/^req_[0-9A-Za-z]{24}$/);
  });
});
