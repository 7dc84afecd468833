import { describe, expect, test } from 'bun:test';
import { networkInterfaces } from 'node:os';
import { createOwnHost, createOwnOrigin, isLoopbackHost } from './own-host.ts';

const here = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
const written = (address: string) => (address.includes(':') ? `[${address}]:8080` : `${address}:8080`);

describe('a Host is ours', () => {
  test.each(['localhost', 'LOCALHOST:8080', '127.0.0.1', '127.1.2.3:80', '[::1]', '[::1]:8080'])(
    'if it is a loopback name: %s',
    (host) => expect(createOwnHost('192.0.2.1')(host)).toBe(true),
  );

  test('if the service listens on it', () => {
    expect(createOwnHost('192.0.2.1')('192.0.2.1:8080')).toBe(true);
    expect(createOwnHost('2001:DB8::1')('[2001:db8::1]:8080')).toBe(true);
    expect(createOwnHost('pets.internal')('Pets.internal')).toBe(true);
  });

  test.each(['0.0.0.0', '::'])('if it is an address of this machine and the service listens on %s', (everywhere) => {
    expect(here.length).toBeGreaterThan(0);
    for (const address of here) expect(createOwnHost(everywhere)(written(address))).toBe(true);
  });
});

describe('a Host is not ours', () => {
  test.each([
    '',
    'elsewhere.example',
    '192.0.2.1',
    'localhost.elsewhere.example',
    'xlocalhost',
    '127.0.0.1.elsewhere.example',
    '[::2]',
  ])('by default: "%s"', (host) => {
    expect(createOwnHost('127.0.0.1')(host)).toBe(false);
    expect(createOwnHost('0.0.0.0')(host)).toBe(false);
  });
});

describe('loopback', () => {
  test.each(['localhost', 'localhost:9464', 'LocalHost:1', '127.0.0.1:9464', '[::1]:9464'])('is %s', (host) =>
    expect(isLoopbackHost(host)).toBe(true),
  );
  test.each([
    'elsewhere.example:9464',
    'localhost.elsewhere.example',
    '127.0.0.1.elsewhere.example:9464',
    '128.0.0.1',
    '',
  ])('is not "%s"', (host) => expect(isLoopbackHost(host)).toBe(false));
});

describe('an Origin is ours', () => {
  const local = createOwnOrigin({ publicUrl: undefined, listensOn: '127.0.0.1' });
  const published = createOwnOrigin({ publicUrl: 'https://api.example.org/pets', listensOn: '127.0.0.1' });

  test('if it matches the Host of the request and that Host is ours, or if it is the public URL', () => {
    expect(local('http://localhost:8080', 'localhost:8080')).toBe(true);
    expect(local('https://127.0.0.1:8080', '127.0.0.1:8080')).toBe(true);
    expect(published('https://api.example.org', 'internal.example')).toBe(true);
  });

  test.each([
    ['another site', 'https://elsewhere.example', 'localhost:8080'],
    ['a name that DNS rebinding makes its own Host', 'http://elsewhere.example:8080', 'elsewhere.example:8080'],
    ['another port of this machine', 'http://localhost:3000', 'localhost:8080'],
    ['a file or a sandbox', 'null', 'localhost:8080'],
    ['the public name in another scheme', 'http://api.example.org', 'api.example.org'],
  ])('unless it is %s', (_, origin, host) => {
    expect(local(origin, host)).toBe(false);
    expect(published(origin, host)).toBe(false);
  });
});
