import { expect, test } from 'bun:test';
import { createHash, createHmac } from 'node:crypto';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { crc32, createSha256, hmacSha256, randomBytes, sha256 } from './builtins.ts';

const TEXTS = ['', 'a', '123456789', 'Ünïcödé 🐕', '\u0000\uffff', 'x'.repeat(10_000)];

test('the checksum equals the one from zlib, for any text', () => {
  expect(crc32('123456789')).toBe(0xcbf43926);
  for (const text of TEXTS) expect(crc32(text)).toBe(zlibCrc32(text));
});

test('hashes equal those of the runtime, whether the text comes in one piece or several', () => {
  for (const text of TEXTS) {
    const hash = createHash('sha256').update(text).digest('hex');
    expect(Buffer.from(sha256(text)).toString('hex')).toBe(hash);
    const pieces = createSha256();
    for (const character of text) pieces.update(character);
    expect(Buffer.from(pieces.digest()).toString('hex')).toBe(hash);
    const key = Buffer.from('a key');
    expect(Buffer.from(hmacSha256(key, text))).toEqual(createHmac('sha256', key).update(text).digest());
  }
});

test('random bytes have the requested length and differ each time', () => {
  expect(randomBytes(4096)).toHaveLength(4096);
  expect(randomBytes(32)).not.toEqual(randomBytes(32));
});
