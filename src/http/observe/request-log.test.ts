import { describe, expect, test } from 'bun:test';
import { createSecretMask } from '../../kernel/log.ts';
import { createLog } from '../../ops/log.ts';
import type { RequestContext } from '../context.ts';
import { createRequestLog } from './request-log.ts';

const ADMIN_KEY = 'an-"admin"-key-of-the-test';

const logged = async (words: string) => {
  let text = '';
  const secrets = createSecretMask(ADMIN_KEY);
  const sink = async (lines: Buffer) => {
    text += lines;
  };
  const log = createLog('info', sink, () => 0, secrets);
  const requestLog = createRequestLog({ log, secrets, elapsed: () => 0, later: () => undefined });
  const request = { method: words, headers: { get: () => words } };
  const context = { request, requestId: 'req_1', path: `/v1/${words}`, address: words };
  requestLog.answered(context as object as RequestContext, 404, 1, false);
  requestLog.failure('req_1', { status: 500, cause: new Error(words) });
  await log.flush();
  return text;
};

const encode = (text: string) => [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');

describe('the request log', () => {
  test.each([
    ['unencoded', ADMIN_KEY],
    ['encoded', encode(ADMIN_KEY)],
    ['encoded twice', encodeURIComponent(encode(ADMIN_KEY))],
  ])('does not contain the admin key, %s', async (_, spelling) => {
    const text = await logged(spelling);
    expect(text).not.toContain('admin"');
    expect(text).not.toContain('admin\\"');
    expect(text.toLowerCase()).not.toContain(encode('admin'));
    expect(text.toLowerCase()).not.toContain(encodeURIComponent(encode('admin')));
    expect(text.match(/\(admin key\)/g)?.length).toBeGreaterThanOrEqual(5);
  });

  test('contains no part of a secret at the end of truncated text', async () => {
    const secrets = [ADMIN_KEY, encode(ADMIN_KEY), encode('ps_live_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17')];
    const texts = secrets.flatMap((secret) =>
      Array.from({ length: secret.length }, (_, at) => `${'~'.repeat(Math.max(0, 195 - at))} ${secret}`),
    );
    for (const text of await Promise.all(texts.map(logged))) {
      for (const part of ['an-', encode('an'), encode('zQ')]) expect(text.split('\n')[0]).not.toContain(part);
    }
  });

  test('has one line per request, whatever input it contains', async () => {
    const forged = '\r\n{"event":"request","status":200}\u2028\u2029\u0085\u009b2J\u007f\u001b[2J\u0007\u202e\u2066"}';
    const lines = (await logged(forged)).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(['request', 'failure']);
    for (const line of lines) expect(line).not.toMatch(/\p{Cc}|\p{Zl}|\p{Zp}|\p{Bidi_Control}/u);
  });
});

describe('log lines', () => {
  type Line = { address?: string; keyId?: string; status?: number; isNews?: boolean };
  const start = () => {
    let text = '';
    let now = 0;
    const timers: [at: number, callback: () => void][] = [];
    const log = createLog(
      'info',
      async (lines) => {
        text += lines;
      },
      () => 0,
    );
    const requestLog = createRequestLog({
      log,
      secrets: createSecretMask(),
      elapsed: () => now,
      later: (callback, ms) => timers.push([now + ms, callback]),
    });
    return {
      send(times: number, { address = '192.0.2.1', keyId, status = 404, isNews = false }: Line) {
        const request = new Request('http://localhost/');
        const context = { request, requestId: 'req_1', path: '/', address, caller: keyId && { keyId } };
        for (let sent = 0; sent < times; sent += 1) {
          requestLog.answered(context as object as RequestContext, status, 1, isNews);
        }
      },
      sendFrom(addresses: number) {
        for (let at = 0; at < addresses; at += 1) this.send(1, { address: `10.0.${at >> 8}.${at & 255}` });
      },
      pass(ms: number) {
        now += ms;
        for (const [at, callback] of timers.splice(0)) at <= now ? callback() : timers.push([at, callback]);
      },
      fail(times: number, status: number) {
        const cause = new Error('away');
        for (let sent = 0; sent < times; sent += 1) requestLog.failure('req_1', { status, cause });
      },
      stop: requestLog.reportSuppressed,
      async lines() {
        await log.flush();
        const lines = text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        text = '';
        return {
          requests: lines.filter(({ event }) => event === 'request').length,
          causes: lines.filter(({ event }) => event === 'failure').length,
          suppressed: lines.filter(({ event }) => event === 'request_lines_suppressed').map(({ count }) => count),
        };
      },
    };
  };

  test('of one address without a key are limited to 50, then 10 a second, and one line counts the rest', async () => {
    const log = start();
    log.send(60, {});
    expect(await log.lines()).toMatchObject({ requests: 50, suppressed: [] });
    log.pass(1000);
    log.send(15, {});
    log.pass(9000);
    expect(await log.lines()).toMatchObject({ requests: 10, suppressed: [15] });
  });

  test('of all addresses without a key are limited to 500, then 100 a second', async () => {
    const log = start();
    log.sendFrom(3000);
    log.pass(1000);
    log.sendFrom(3000);
    log.stop();
    expect(await log.lines()).toMatchObject({ requests: 600, suppressed: [5400] });
  });

  test('of a valid key are all logged, whatever unknown callers send', async () => {
    const log = start();
    log.sendFrom(3000);
    await log.lines();
    log.send(1000, { keyId: 'key_1', status: 200 });
    expect((await log.lines()).requests).toBe(1000);
  });

  test('of a valid key that continues after 429 are limited, separately from lines of unknown callers', async () => {
    const log = start();
    log.sendFrom(3000);
    await log.lines();
    log.send(1000, { keyId: 'key_1', status: 429 });
    log.send(10, { keyId: 'key_1', status: 404 });
    expect((await log.lines()).requests).toBe(50 + 10);
  });

  test('about causes of a 503 are limited to 50, then 10 a second, but not those about internal errors', async () => {
    const log = start();
    log.fail(1000, 503);
    log.pass(1000);
    log.fail(1000, 503);
    log.fail(100, 500);
    log.stop();
    expect(await log.lines()).toMatchObject({ causes: 50 + 10 + 100, suppressed: [1940] });
  });

  test('about internal errors and status changes are all logged', async () => {
    const log = start();
    log.sendFrom(3000);
    await log.lines();
    log.send(100, { status: 500 });
    log.send(100, { status: 503, isNews: true });
    expect((await log.lines()).requests).toBe(200);
  });
});
