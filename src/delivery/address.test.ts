import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isPrivate, URL_PATTERN, urlFault, urlPolicyFault } from './address.ts';

describe('isPrivate', () => {
  const networks: [string, string, string][] = [
    ['this network', '0.0.0.0', '0.255.255.255'],
    ['private use, 10/8', '10.0.0.0', '10.255.255.255'],
    ['shared by carriers', '100.64.0.0', '100.127.255.255'],
    ['loopback', '127.0.0.0', '127.255.255.255'],
    ['link-local', '169.254.0.0', '169.254.255.255'],
    ['private use, 172.16/12', '172.16.0.0', '172.31.255.255'],
    ['protocol assignments', '192.0.0.0', '192.0.0.255'],
    ['documentation, 1', '192.0.2.0', '192.0.2.255'],
    ['6to4 relays', '192.88.99.0', '192.88.99.255'],
    ['private use, 192.168/16', '192.168.0.0', '192.168.255.255'],
    ['benchmarks', '198.18.0.0', '198.19.255.255'],
    ['documentation, 2', '198.51.100.0', '198.51.100.255'],
    ['documentation, 3', '203.0.113.0', '203.0.113.255'],
    ['multicast', '224.0.0.0', '239.255.255.255'],
    ['reserved and broadcast', '240.0.0.0', '255.255.255.255'],
    ['unspecified and loopback, IPv6', '::', '::1'],
    ['IPv4-compatible', '::7f00:1', '::ffff:ffff'],
    ['IPv4-mapped', '::ffff:0:0', '::ffff:ffff:ffff'],
    ['IPv4-translated', '::ffff:0:7f00:1', '::ffff:0:ffff:ffff'],
    ['translation', '64:ff9b::', '64:ff9b::ffff:ffff'],
    ['local translation', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
    ['discard only', '100::', '100::ffff:ffff:ffff:ffff'],
    ['Teredo and other protocols', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['documentation, IPv6', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['documentation, long', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['unassigned, below', '1000::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['unassigned, between', '6000::', '7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['unassigned, above', '4000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['segment routing', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['link-local, IPv6', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['multicast, IPv6', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ];
  test.each(networks)('is true for %s, from %s to %s', (_, first, last) => {
    expect([first, last].map(isPrivate)).toEqual([true, true]);
  });

  const neighbours = [
    ...['1.0.0.0', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255'],
    ...['192.0.1.0', '192.0.3.0', '192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0'],
    ...['198.17.255.255', '198.20.0.0', '198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0'],
    '223.255.255.255',
    ...['2000::', '2001:200::', '2001:db7:ffff::', '2001:db9::', '2001:ffff::1', '2003::'],
    ...['2606:4700:4700::1111', '2a00:1450:4001::', '3ffe:ffff::', '3fff:1000::'],
  ];
  test.each(neighbours)('is false for %s, which is public', (address) => {
    expect(isPrivate(address)).toBeFalse();
  });

  const spellings = [
    ...['0:0:0:0:0:0:0:1', '::0001', '::ffff:127.0.0.1', '::FFFF:7F00:1', '::ffff:8.8.8.8'],
    ...['fe80::1%eth0', 'fe80::1%1', '::1%lo', '::127.0.0.1', '64:ff9b::10.0.0.1', '2002:7f00:1::'],
  ];
  test.each(spellings)('recognizes the spelling %s', (address) => {
    expect(isPrivate(address)).toBeTrue();
  });

  test.each(['', 'localhost', '127.1', '2130706433', '1.2.3.4.5', '%eth0', '[::1]'])(
    'is true for %p, which is not an address',
    (text) => {
      expect(isPrivate(text)).toBeTrue();
    },
  );
});

describe('urlPolicyFault', () => {
  const PRIVATE = 'must not point to a private address';
  const refused = [
    ...['127.0.0.1', '127.1', '127.0.1', '127.0.0.1.', '2130706433', '017700000001', '0177.0.0.1', '0x7f000001'],
    ...['0x7F.0.0.1', '0x7f.1', '0', '0.0.0.0', '10.1', '169.254.169.254', '0xA9FEA9FE', '%31%32%37.0.0.1'],
    ...['①②⑦.0.0.1', '127。0。0。1', '192.168.1.1', '255.255.255.255', '224.0.0.1', '127.0.0.1:8443'],
    ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
    ...['[fe80::1]', '[fd00::1]', '[ff02::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[::ffff:0:127.0.0.1]'],
    ...['localhost', 'LOCALHOST', 'localhost.', 'api.localhost', 'lоcalhost.localhost', 'printer.local'],
    ...['metadata.google.internal', 'router.home.arpa', 'router.home.arpa.', 'ｌocalhost'],
  ];
  test.each(refused)('refuses https://%s/', (host) => {
    expect(urlPolicyFault(`https://${host}/hooks`, false)).toBe(PRIVATE);
  });

  const allowed = ['example.org', '8.8.8.8', '[2606:4700:4700::1111]', 'localhost.example.org', 'a.b', 'a.b.'];
  test.each(allowed)('accepts https://%s/', (host) => {
    expect(urlPolicyFault(`https://${host}/hooks`, false)).toBeUndefined();
  });

  test.each(['intranet', 'INTRANET', 'intranet.', 'notlocalhost', 'intranet:8443', 'ai', 'xn--80ak6aa92e'])(
    'refuses https://%s/, a single-label name',
    (host) => {
      expect(urlPolicyFault(`https://${host}/hooks`, false)).toBe(
        'must have a full host name, such as hooks.example.org',
      );
    },
  );

  test('refuses plain http', () => {
    expect(urlPolicyFault('http://example.org/', false)).toBe('must be an https URL');
  });

  test.each(['http://127.0.0.1:3000/', 'https://intranet/', 'https://localhost/', 'http://[::1]/'])(
    'accepts %s if the operator allows private addresses',
    (url) => {
      expect(urlPolicyFault(url, true)).toBeUndefined();
    },
  );
});

describe('urlFault', () => {
  const faults: [string, string][] = [
    ['', 'must be a URL'],
    ['example.org/hooks', 'must be a URL'],
    ['/hooks', 'must be a URL'],
    ['https://', 'must be a URL'],
    ['https://exa mple.org/', 'must be a URL'],
    ['https://[::1%25eth0]/', 'must be a URL'],
    ['https://[fe80::1%eth0]/', 'must be a URL'],
    ['https://256.0.0.1/', 'must be a URL'],
    ['https://example.org:65536/', 'must be a URL'],
    ['https:example.org', 'must be a URL'],
    ['https:///example.org/', 'must be a URL'],
    ['https:\\\\example.org\\', 'must be a URL'],
    [' https://example.org/', 'must be a URL'],
    ['https://example.org/\n', 'must be a URL'],
    ['https://exam\tple.org/', 'must be a URL'],
    ['https://example.org/\0', 'must be a URL'],
    ['https://example.org/\ud800', 'must be a URL'],
    ['ftp://example.org/', 'must be an https URL'],
    ['file:///etc/passwd', 'must be an https URL'],
    ['javascript:alert(1)', 'must be an https URL'],
    ['https://ann@example.org/', 'must not contain credentials'],
    ['https://ann:secret@example.org/', 'must not contain credentials'],
    ['https://:secret@example.org/', 'must not contain credentials'],
    ['https://example.org@127.0.0.1/', 'must not contain credentials'],
    ['https://@example.org/', 'must not contain credentials'],
    ['https://:@example.org/', 'must not contain credentials'],
    ['https://./', 'must have a valid host name'],
    ['https://..', 'must have a valid host name'],
    ['https://example..org/', 'must have a valid host name'],
    ['https://.example.org/', 'must have a valid host name'],
    ['https://example.org../', 'must have a valid host name'],
    ['https://example.org:/', 'must have a valid host name'],
    ['https://-example.org/', 'must have a valid host name'],
    ['https://example.org-/', 'must have a valid host name'],
    ['https://example.org;x/', 'must have a valid host name'],
    ['https://exam,ple.org/', 'must have a valid host name'],
    ['https://*.example.org/', 'must have a valid host name'],
    [`https://${'a'.repeat(64)}.org/`, 'must have a valid host name'],
    [`https://${'abc.'.repeat(62)}abcdef/`, 'must have a valid host name'],
    ['https://example.org:0/', 'must not use port 0'],
    ['https://example.org/#hooks', 'must not contain a fragment'],
    ['https://example.org/#', 'must not contain a fragment'],
  ];
  test.each(faults)('reports that %p %s', (url, fault) => {
    expect(urlFault(url)).toBe(fault);
  });

  test('refuses everything that the documented pattern excludes, and the pattern excludes most faults', () => {
    const matching = faults.map(([url]) => url).filter((url) => new RegExp(URL_PATTERN, 'u').test(url));
    expect(matching.length).toBeLessThan(faults.length / 2);
    const found = fc.property(
      fc.oneof(
        fc.webUrl(),
        fc.string({ unit: 'binary' }).map((text) => `https://${text}`),
      ),
      (url) => {
        if (!new RegExp(URL_PATTERN, 'u').test(url)) expect(urlFault(url)).toBeString();
      },
    );
    fc.assert(found, { numRuns: 2_000 });
  });

  const fit = [
    'https://example.org',
    'HTTPS://EXAMPLE.ORG/a?b=c%20d',
    'https://bücher.example/ü',
    'http://a:1/',
    'https://example.org./',
    'https://_hooks.exa-mple.org:65535/@a:b',
    'https://192.0.2.7/',
    'https://[2001:db8::7]:8443/',
    `https://${'a'.repeat(63)}.org/`,
    `https://${'abc.'.repeat(62)}abcde./`,
  ];
  test.each(fit)('accepts %s', (url) => {
    expect(urlFault(url)).toBeUndefined();
    expect(url).toMatch(new RegExp(URL_PATTERN, 'u'));
  });
});
