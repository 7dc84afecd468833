import { describe, expect, test } from 'bun:test';
import { createBaseUrl, parseTrusted } from './client-address.ts';

const PROXY = '10.0.0.1';
const STRANGER = '198.51.100.7';

const create = ({ publicUrl, proxies }: { publicUrl?: string; proxies?: string } = {}) => {
  const warnings: string[] = [];
  const baseUrl = createBaseUrl({
    publicUrl,
    trusted: proxies === undefined ? undefined : parseTrusted(proxies),
    warn: (event) => warnings.push(event),
  });
  const ask = (socket: string, headers: Record<string, string> = {}, host = 'pets.example') =>
    baseUrl(new Request('http://pets.example/', { headers }), host, socket);
  return { ask, warnings };
};

const HTTPS = { 'X-Forwarded-For': STRANGER, 'X-Forwarded-Proto': 'https' };

describe('the base URL of links', () => {
  test('is the public URL if one is set, whatever the request contains', () => {
    const { ask, warnings } = create({ publicUrl: 'https://api.example.org' });
    expect(ask(STRANGER, HTTPS, 'elsewhere.example')).toBe('https://api.example.org');
    expect(warnings).toEqual([]);
  });

  test('is the Host of the request if no public URL is set', () => {
    expect(create().ask(STRANGER)).toBe('http://pets.example');
  });

  test.each(['https', 'HTTPS', 'https, http', 'https,http'])(
    'uses https if a trusted proxy sends X-Forwarded-Proto: %s',
    (response) => {
      const { ask, warnings } = create({ proxies: '10.0.0.0/8' });
      expect(ask(PROXY, { ...HTTPS, 'X-Forwarded-Proto': response })).toBe('https://pets.example');
      expect(ask(`::ffff:${PROXY}`, { ...HTTPS, 'X-Forwarded-Proto': response })).toBe('https://pets.example');
      expect(warnings).toEqual([]);
    },
  );

  test.each(['http', 'http, https', 'httpsx', 'ftp', '', '<script>'])(
    'uses http if a trusted proxy sends X-Forwarded-Proto: %s',
    (response) => {
      const { ask, warnings } = create({ proxies: PROXY });
      expect(ask(PROXY, { ...HTTPS, 'X-Forwarded-Proto': response })).toBe('http://pets.example');
      expect(warnings).toEqual([]);
    },
  );

  test.each([
    'pets.example:65536',
    'pets.example:x',
    '999.1.1.1',
    '[::1',
    '[1]',
    `${'x'.repeat(300)}.example`,
    'a b',
    '',
  ])('is empty if the Host is invalid: %s', (host) => {
    expect(create().ask(STRANGER, {}, host)).toBe('');
    expect(create({ proxies: PROXY }).ask(PROXY, HTTPS, host)).toBe('');
  });
});

describe('a warning is logged once', () => {
  test('if an untrusted client claims https, which is ignored', () => {
    for (const proxies of [{}, { proxies: PROXY }]) {
      const { ask, warnings } = create(proxies);
      for (let asked = 0; asked < 3; asked += 1) expect(ask(STRANGER, HTTPS)).toBe('http://pets.example');
      expect(warnings).toEqual(['forwarded_proto_not_trusted']);
    }
  });

  test('if a trusted proxy forwards a request without its scheme', () => {
    const { ask, warnings } = create({ proxies: PROXY });
    for (let asked = 0; asked < 3; asked += 1) ask(PROXY, { 'X-Forwarded-For': STRANGER });
    expect(warnings).toEqual(['forwarded_proto_missing']);
  });

  test('but not for requests by the proxy itself, or without a trusted proxy', () => {
    const { ask, warnings } = create({ proxies: PROXY });
    ask(PROXY);
    ask(STRANGER, { 'X-Forwarded-For': '203.0.113.9' });
    expect(warnings).toEqual([]);
  });
});
