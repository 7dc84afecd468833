import { describe, expect, test } from 'bun:test';
import { readDuration, readServeFlags } from './serve-flags.ts';

describe('the flags of petstore serve', () => {
  test.each([
    ['--database-url', 'postgres://pets:hunter2@db/pets', 'DATABASE_URL'],
    ['--database-url', 'postgres://pets:hunter2@db1:5432,db2:5432/pets', 'DATABASE_URL'],
    ['--database-url', 'postgres://pets:hunter2,3@db/pets', 'DATABASE_URL'],
    ['--database-url', 'postgres://db/pets?user=pets&password=hunter2', 'DATABASE_URL'],
    ['--database-url', 'postgres://db/pets?user=pets&p%61ssword=hunter2', 'DATABASE_URL'],
    ['--redis-url', 'redis://:hunter2@cache:6379', 'REDIS_URL'],
    ['--redis-url', 'redis://cache:6379,rediss://user:hunter2@other:6379', 'REDIS_URL'],
    ['--public-url', 'https://user:hunter2@pets.example.org', 'PETSTORE_PUBLIC_URL'],
  ])('%s %s is refused, and the message names the variable to set and not the password', (flag, value, variable) => {
    for (const args of [[flag, value], [`${flag}=${value}`]]) {
      const read = () => readServeFlags(args);
      expect(read).toThrow(`set ${variable} in the environment instead`);
      expect(read).not.toThrow('hunter2');
    }
  });

  test.each([
    ['--database-url', 'postgres://pets@db1:5432,db2:5432/pets?sslmode=require', 'DATABASE_URL'],
    ['--database-url', 'postgres://db:5432/pets?application_name=a@b', 'DATABASE_URL'],
    ['--database-url', 'sqlite:/srv/a:b@c/pets.db', 'DATABASE_URL'],
    ['--redis-url', 'redis://one:6379,redis://user@two:6379', 'REDIS_URL'],
    ['--public-url', 'https://pets.example.org:8443/a@b', 'PETSTORE_PUBLIC_URL'],
  ])('%s %s is accepted: it contains no password', (flag, value, variable) => {
    expect(readServeFlags([flag, value])).toEqual({ settings: { [variable]: value } });
  });
});

describe('an interval', () => {
  test('is at most 24 days, because a longer timer fires immediately', () => {
    expect(readDuration('every', '24d')).toBe(24 * 86_400_000);
    for (const text of ['25d', '577h', '0s', 'daily']) {
      expect(() => readDuration('every', text)).toThrow(
        `--every must be a duration such as 90s, 30m, 1h or 1d, at most 24d; got "${text}"`,
      );
    }
  });
});
