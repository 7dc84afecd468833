import { describe, expect, test } from 'bun:test';
import { createReadableSink, readableLine } from './standard-output.ts';

const REQUEST =
  '{"time":"2026-11-16T05:06:07.890Z","level":"info","event":"request","requestId":"req_1","method":"POST","path":"/v1/pets","status":201,"durationMs":1.234,"operation":"createPet","keyId":"key_1","address":"127.0.0.1"}';

describe('a line of the log on a terminal', () => {
  test('shows of a request when, what came of it, what it was, how long it took and whose it was', () => {
    expect(readableLine(REQUEST, false)).toBe('05:06:07  201  POST    /v1/pets  createPet  1.2 ms  key_1');
  });

  test.each([
    [200, 32],
    [404, 33],
    [429, 33],
    [503, 31],
  ])('shows %i in the colour %i: red is for what is our fault', (status, colour) => {
    expect(readableLine(REQUEST.replace('201', `${status}`), true)).toContain(`\x1b[${colour}m${status}\x1b[0m`);
  });

  test('shows anything else by its name, with all that is told of it', () => {
    const line =
      '{"time":"2026-11-16T05:06:07.890Z","level":"warn","event":"redis_away","error":"no answer","tries":3}';
    expect(readableLine(line, false)).toBe('05:06:07  redis_away  error: no answer  tries: 3');
  });

  test('has nothing in it that a terminal acts on', () => {
    const sent = REQUEST.replace('/v1/pets', '/v1/\\u001b[2J\\u202e\\n');
    expect(readableLine(sent, false)).toContain('/v1/\\u001b[2J\\u202e\\n');
  });

  test('comes for each that was written, in order', async () => {
    let written = '';
    const sink = createReadableSink(async (lines) => {
      written += String(lines);
    }, false);
    await sink(Buffer.from(`${REQUEST}\n${REQUEST.replace('201', '400')}\n`));
    expect(written.split('\n').map((line) => line.slice(10, 13))).toEqual(['201', '400', '']);
  });
});
