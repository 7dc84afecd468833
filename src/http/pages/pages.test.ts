import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import committed from '../../../openapi.json';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';

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
  test('shows a curl command with the address of the request', async () => {
    expect((await show(service, '/')).text).toContain(`curl ${service.url('/v1/pets')} `);
  });

  test('shows the public URL if one is set, as text and never as markup', async () => {
    const { text } = await show(published, '/', { Host: 'elsewhere.example' });
    expect(text).toContain('curl https://api.example.org/&#60;b&#62;pets/v1/pets ');
    expect(text).not.toContain('elsewhere');
  });

  test.each(['elsewhere.example', '192.0.2.1:8080', 'localhost.elsewhere.example', '<i>'])(
    'does not show an untrusted host: %s',
    async (host) => {
      const { text } = await show(service, '/', { Host: host });
      expect(text).toContain('curl $PETSTORE_URL/v1/pets ');
      expect(text).not.toContain(host);
    },
  );
});

describe('the pages for people', () => {
  test('explain, but only on staging, that all data is test data and how to reset it', async () => {
    const staging = await startService({ environment: { PETSTORE_ENVIRONMENT: 'staging' } });
    for (const [path, link] of Object.entries({ '/': 'docs', '/docs': 'docs', '/docs/errors': '../docs' })) {
      expect((await show(staging, path)).text).toContain(
        `test data only. <a href="${link}#guide-staging-starting-over">`,
      );
      expect((await show(service, path)).text).not.toContain('class="ribbon"');
    }
    expect((await show(staging, '/docs')).text).toContain('id="guide-staging-starting-over"');
    await staging.stop();
  });

  test.each(['/', '/docs', '/docs/errors'])(
    '%s loads nothing from other origins, allows no inline script or style, and cannot be framed',
    async (path) => {
      const { status, headers, text } = await show(service, path);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      const policy = headers.get('content-security-policy')?.split('; ');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(text).not.toMatch(/<style|<script>|<script(?! src=)|\sstyle=|\son[a-z]+=/);
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-cache');
    },
  );

  test('can send requests to their own origin, and to the public URL if one is set', async () => {
    expect(await connectSources(service)).toBe("'self'");
    expect(await connectSources(published)).toBe("'self' https://api.example.org");
  });
});

const assetsOf = async (from: Service): Promise<string[]> =>
  [...(await show(from, '/docs')).text.matchAll(/(?:src|href)="(docs\/[^"#]+\.(?:js|css))"/g)].map(
    ([, path]) => `/${path}`,
  );

test('the reference with a trailing slash redirects to it, below any prefix', async () => {
  const { status, headers } = await show(service, '/docs/');
  expect({ status, location: headers.get('location') }).toEqual({ status: 308, location: '../docs' });
});

describe('the styles and scripts of the pages', () => {
  test('are named by their hash and may be cached forever', async () => {
    const paths = await assetsOf(service);
    expect(paths).toEqual([
      expect.stringMatching(/^\/docs\/style\.[0-9a-f]{16}\.css$/),
      expect.stringMatching(/^\/docs\/theme\.[0-9a-f]{16}\.js$/),
      expect.stringMatching(/^\/docs\/script\.[0-9a-f]{16}\.js$/),
      expect.stringMatching(/^\/docs\/tools\.[0-9a-f]{16}\.js$/),
    ]);
    expect(await assetsOf(published)).toEqual(paths);
    for (const path of paths) {
      const { status, headers, text } = await show(service, path);
      const type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
      expect([status, headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(path).toContain(new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 16));
    }
  });

  test('are compressed for clients that accept compression', async () => {
    const paths = await assetsOf(service);
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      const plain = await show(service, path, { 'Accept-Encoding': 'identity' });
      expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'Accept-Encoding']);
      for (const coding of ['gzip', 'br']) {
        const { headers, text } = await show(service, path, { 'Accept-Encoding': coding });
        expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([coding, 'Accept-Encoding']);
        expect(text).toBe(plain.text);
      }
    }
  });

  test.each(['/docs/script.js', '/docs/script.0000000000000000.js'])(
    'are not served under another name, such as %s, which would be cached',
    async (path) => expectError(await show(service, path), 'route_not_found', 404),
  );
});

describe('the OpenAPI document', () => {
  test('is the same for every Host and public URL, so that no Host costs memory', async () => {
    const [one, two, third] = await Promise.all([
      show(service, '/openapi.json', { Host: 'one.example' }),
      show(service, '/openapi.json', { Host: 'two.example' }),
      show(published, '/openapi.json'),
    ]);
    expect(one.body.servers).toMatchObject([{ url: '/v1' }, { url: '{productionUrl}/v1' }, { url: '{stagingUrl}/v1' }]);
    expect([two.text, third.text]).toEqual([one.text, one.text]);
    expect(two.headers.get('etag')).toBe(one.headers.get('etag'));
  });

  test.each(['production', 'staging'] as const)(
    'is the committed one, with only the operations of %s and their tags',
    async (environment) => {
      const started = await startService({ environment: { PETSTORE_ENVIRONMENT: environment } });
      const { body } = await show(started, '/openapi.json');
      await started.stop();
      const { paths, tags, ...rest } = committed;
      const isServed = (word: string) => environment === 'staging' || !/sandbox/i.test(word);
      expect(body).toEqual({
        ...rest,
        paths: Object.fromEntries(Object.entries(paths).filter(([path]) => isServed(path))),
        tags: tags.filter(({ name }) => isServed(name)),
      });
    },
  );

  test('is compressed for clients that accept it, and decompresses to the same text', async () => {
    const [plain, gzip, brotli] = await Promise.all(
      ['identity', 'gzip', 'br'].map((coding) => show(service, '/openapi.json', { 'Accept-Encoding': coding })),
    );
    const sizes = [plain, gzip, brotli].map((answer) => Number(answer?.headers.get('content-length')));
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(sizes[1]).toBeLessThan((sizes[0] as number) / 5);
    for (const answer of [gzip, brotli]) expect(answer?.text).toBe(plain?.text as string);
  });

  test.each([
    ['gzip;q=0', null],
    ['gzip;q=0.0 , br', 'br'],
    ['BR ; Q=0, GZIP ; Q=0', null],
    ['br;q=0.00, GZIP;q=0.1', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip;q=1', 'gzip'],
    ['x-br, br-x, xgzip', null],
    ['identity, br;q=0.9', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['*', null],
  ])('with Accept-Encoding: %s is sent in the coding %p', async (accepted, coding) => {
    const { headers } = await show(service, '/openapi.json', { 'Accept-Encoding': accepted });
    expect(headers.get('content-encoding')).toBe(coding);
  });

  test('has a strong ETag for each coding, and returns 304 to a client that has it', async () => {
    const asks = [{ 'Accept-Encoding': 'identity' }, { 'Accept-Encoding': 'gzip' }, { 'Accept-Encoding': 'br' }];
    const tags = new Set<string>();
    for (const headers of asks) {
      const tag = (await show(service, '/openapi.json', headers)).headers.get('etag') as string;
      expect(tag).toMatch(/^"[^"]+"$/);
      tags.add(tag);
      const again = await show(service, '/openapi.json', { ...headers, 'If-None-Match': tag });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
      expect(again.headers.get('vary')).toBe('Accept-Encoding');
      expect((await show(service, '/openapi.json', { ...headers, 'If-None-Match': '"other"' })).status).toBe(200);
    }
    expect(tags.size).toBe(asks.length);
  });

  test('may be loaded from any origin', async () => {
    const { headers } = await show(service, '/openapi.json', { Origin: 'https://tool.example' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cache-control')).toBe('no-cache');
  });
});

describe('every page', () => {
  test.each(['/', '/docs', '/docs/errors', '/openapi.json', '/healthz', '/readyz', '/nowhere'])(
    '%s has a request id',
    async (path) => {
      expect((await show(service, path)).headers.get('x-request-id')).toMatch(/^req_[0-9A-Za-z]{24}$/);
    },
  );
});

describe('HEAD', () => {
  test.each(['/', '/docs', '/openapi.json', '/healthz'])('of %s has the length and no body', async (path) => {
    const headers = { 'Accept-Encoding': 'identity' };
    const { text } = await show(service, path, headers);
    const response = await service.call('HEAD', path, { key: null, headers });
    expect([response.status, response.text]).toEqual([200, '']);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  });
});
