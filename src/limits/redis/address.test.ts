import { expect, test } from 'bun:test';
import { explainRedisUrl, parseRedisUrl } from './address.ts';

const a = { host: 'a', port: 6379 };

test.each([
  ['redis://a', { nodes: [a], db: 0 }],
  ['REDIS://a:6379/', { nodes: [a], db: 0 }],
  ['redis://a:1/2', { nodes: [{ host: 'a', port: 1 }], db: 2 }],
  ['rediss://user:p%40ss@a', { nodes: [a], db: 0, username: 'user', password: 'p@ss', tls: {} }],
  ['rediss://:pw@[::1]:1,rediss://a', { nodes: [{ host: '::1', port: 1 }, a], db: 0, password: 'pw', tls: {} }],
  ['redis://u:pw@a,redis://u:pw@a', { nodes: [a, a], db: 0, username: 'u', password: 'pw' }],
  ['redis+sentinel://a/main', { nodes: [{ host: 'a', port: 26_379 }], db: 0, master: 'main' }],
  [
    'rediss+sentinel://user:pw@a:1,b:2/my-main.1/3',
    {
      nodes: [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
      ],
      db: 3,
      master: 'my-main.1',
      username: 'user',
      password: 'pw',
      tls: {},
    },
  ],
])('parses %s', (url, address) => expect(parseRedisUrl(url)).toEqual(address));

test.each([
  '',
  'a:6379',
  'redis://',
  'redis://a,b',
  'redis://a:99999',
  'redis://a/one',
  'redis://a%',
  'redis://u:%ff@a',
  'redis://%ff@a',
  'redis://a:0',
  'redis+sentinel://a:0/main',
  'redis+sentinel://a',
  'redis+sentinel://a/',
  'redis+sentinel://a,/main',
  'redis+sentinel://a:99999/main',
  'redis+sentinel://a/main/one',
  'redis+sentinel://a/main?x=1',
])('rejects %p', (url) => expect(parseRedisUrl(url)).toBeUndefined());

test.each([
  'rediss://:pw@a,redis://b',
  'redis://a,rediss://b',
  'redis://u:pw@a,redis://u:other@b',
  'redis://u:pw@a,redis://v:pw@b',
  'redis://a,redis://:pw@b',
])('rejects %p, because its nodes differ in TLS, user or password', (url) => {
  expect(parseRedisUrl(url)).toBeUndefined();
  expect(explainRedisUrl(url)).toStartWith('must not mix redis:// and rediss://');
});
