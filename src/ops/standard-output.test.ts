import { describe, expect, test } from 'bun:test';
import { createReadableSink, readableLine } from './standard-output.ts';

const REQUEST =
  '{"time":"2026-11-16T05:06:07.890Z","level":"info","event":"request","requestId":"req_1","method":"POST","path":"/v1/pets","status":201,"durationMs":1.234,"operation":"createPet","keyId":"key_1","address":"127.0.0.1"}';

describe('a log line on a terminal', () => {
  test('shows the time, status, request, operation, duration and key of a request', () => {
    expect(readableLine(REQUEST, false)).toBe('05:06:07  201  POST    /v1/pets  createPet  1.2 ms  key_1');
  });

  test.each([
    [200, 32],
    [404, 33],
    [429, 33],
    [503, 31],
  ])('shows status %i in colour %i: red is for our errors', (status, colour) => {
    expect(readableLine(REQUEST.replace('201', `${status}`), true)).toContain(`\x1b[${colour}m${status}\x1b[0m`);
  });

  test('shows any other event by name, with all its fields', () => {
    const line =
      '{"time":"2026-11-16T05:06:07.890Z","level":"warn","event":"redis_away","error":"no answer","tries":3}';
    expect(readableLine(line, false)).toBe('05:06:07  redis_away  error: no answer  tries: 3');
  });

  test('contains nothing that a terminal interprets', () => {
    const sent = REQUEST.replace('/v1/pets', '/v1/\\u001b[2J\\u202e\\n');
    expect(readableLine(sent, false)).toContain('/v1/\\u001b[2J\\u202e\\n');
  });

  test('is written for each JSON line, in order', async () => {
    let written = '';
    const sink = createReadableSink(async (lines) => {
      written += String(lines);
    }, false);
    await sink(Buffer.from(`${REQUEST}\n${REQUEST.replace('201', '400')}\n`));
    expect(written.split('\n').map((line) => line.slice(10, 13))).toEqual(['201', '400', '']);
  });
});
