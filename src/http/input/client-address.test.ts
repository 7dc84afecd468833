import { describe, expect, test } from 'bun:test';
import type { BlockList } from 'node:net';
import fc from 'fast-check';
import { clientAddress, networkOf, parseTrusted } from './client-address.ts';

const trusted = parseTrusted('10.0.0.0/8, 192.0.2.1, 2001:db8::/32') as BlockList;

describe('the client address', () => {
  test('is the socket address if no proxy is trusted', () => {
    expect(clientAddress('198.51.100.7', '203.0.113.9', undefined)).toBe('198.51.100.7');
  });

  test('is the socket address if the socket is not a trusted proxy', () => {
    expect(clientAddress('198.51.100.7', '203.0.113.9', trusted)).toBe('198.51.100.7');
  });

  test('is that of a trusted proxy itself if it forwards no address', () => {
    expect(clientAddress('10.0.0.1', null, trusted)).toBe('10.0.0.1');
    expect(clientAddress('10.0.0.1', '', trusted)).toBe('10.0.0.1');
  });

  const forwarded: [string, string, string][] = [
    ['10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['192.0.2.1', ' 203.0.113.9 ', '203.0.113.9'],
    ['2001:db8::1', '2606:4700::5', '2606:4700::5'],
    ['10.0.0.1', '203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
  ];
  test.each(forwarded)('behind the trusted proxy %s with "%s" is %s', (socket, header, expected) => {
    expect(clientAddress(socket, header, trusted)).toBe(expected);
  });

  test('is never an address that the client itself added on the left', () => {
    expect(clientAddress('10.0.0.1', '1.1.1.1, 203.0.113.9', trusted)).toBe('203.0.113.9');
    expect(clientAddress('10.0.0.1', '10.9.9.9, 203.0.113.9, 10.0.0.2', trusted)).toBe('203.0.113.9');
  });

  test.each(['unknown', '203.0.113.9:', '[203.0.113.9', '203.0.113', '<script>', '203.0.113.9 10.0.0.1', '999.1.1.1'])(
    'is the last valid one before text that is not an address: "%s"',
    (header) => {
      expect(clientAddress('10.0.0.1', `1.1.1.1, ${header}`, trusted)).toBe('10.0.0.1');
    },
  );

  test.each(['', 'not an address'])('is kept as is if the socket has no address: "%s"', (socket) => {
    expect(clientAddress(socket, '203.0.113.9', trusted)).toBe(socket);
  });

  test('is found behind a trusted proxy for any forwarded text', () => {
    const hop = fc.oneof(
      fc.ipV4(),
      fc.ipV4Extended(),
      fc.ipV6(),
      fc.string(),
      fc.ipV6().map((ip) => `${ip}%1`),
    );
    const found = fc.property(fc.array(hop, { maxLength: 4 }), (hops) => {
      expect(networkOf(clientAddress('10.0.0.1', hops.join(','), trusted))).toMatch(
        /^(\d+(\.\d+){3}|[0-9a-f:]+::\/64)$/,
      );
    });
    fc.assert(found, { numRuns: 2_000 });
  });

  test.each([
    ['203.0.113.9:1234', '203.0.113.9'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
  ])('may be forwarded with its port, as %s', (header, address) => {
    expect(clientAddress('10.0.0.1', header, trusted)).toBe(address);
  });

  test('may have a zone, on the socket and in the header', () => {
    expect(clientAddress('fe80::1%eth0', '203.0.113.9', trusted)).toStartWith('fe80::1');
    expect(clientAddress('10.0.0.1', '203.0.113.9, fe80::1%eth0', trusted)).toStartWith('fe80::1');
  });
});

describe('the network of a client', () => {
  const networks: [string, string][] = [
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['2001:db8:1:2:3:4:198.51.100.7', '2001:db8:1:2::/64'],
    ['2001:db8::2:3:4:198.51.100.7', '2001:db8:0:2::/64'],
  ];
  test.each(networks)('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test('is shared by all addresses of a /64, and differs for the next /64', () => {
    expect(networkOf('2001:db8:0:1::1')).toBe(networkOf('2001:db8:0:1:ffff:ffff:ffff:ffff'));
    expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8:0:2::1'));
  });

  test('is not shared by all IPv4 clients whose address is written as IPv6', () => {
    const networks = ['::ffff:cb00:7109', '::ffff:cb00:710a', '0:0:0:0:0:ffff:203.0.113.11'].map((address) =>
      networkOf(clientAddress(address, null, undefined)),
    );
    expect(networks).toEqual(['203.0.113.9', '203.0.113.10', '203.0.113.11']);
  });
});

describe('trusted proxies', () => {
  test.each([
    '',
    ',',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/9',
    '::/129',
    'proxy.example',
    '10.0.0',
    'any',
  ])('are all refused if one is neither an address nor a network: "%s"', (list) => {
    expect(parseTrusted(list)).toBeUndefined();
    expect(parseTrusted(`127.0.0.1,${list}`)).toBeUndefined();
  });

  test('may be single addresses and networks of both families', () => {
    expect(trusted.check('10.255.255.255')).toBeTrue();
    expect(trusted.check('192.0.2.1')).toBeTrue();
    expect(trusted.check('192.0.2.2')).toBeFalse();
    expect(trusted.check('2001:db8:ffff::1', 'ipv6')).toBeTrue();
    expect(trusted.check('2001:db9::1', 'ipv6')).toBeFalse();
  });
});
