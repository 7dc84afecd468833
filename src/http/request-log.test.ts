import { describe, expect, test } from 'bun:test';
import { createSecretMask } from '../kernel/secret-mask.ts';
import { createLog } from '../process/log.ts';
import { createRequestLog } from './request-log.ts';

const ADMIN_KEY = 'an-"admin"-key-of-the-test';

/** The line of a request, and of a failure with the same words. */
const logged = async (words: string) => {
  let text = '';
  const secrets = createSecretMask(ADMIN_KEY);
  const sink = async (lines: Buffer) => {
    text += lines;
  };
  const log = createLog('info', sink, () => 0, secrets);
  const requestLog = createRequestLog(log, secrets);
  requestLog.request({
    requestId: 'req_1',
    method: words,
    path: `/v1/${words}`,
    status: 404,
    durationMs: 1,
    operation: undefined,
    traceId: undefined,
    keyId: undefined,
    address: words,
    callerRequestId: words,
  });
  requestLog.failure('req_1', new Error(words));
  await log.flush();
  return text;
};

const encode = (text: string) => [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');

describe('the log of requests', () => {
  test.each([
    ['as it is', ADMIN_KEY],
    ['encoded', encode(ADMIN_KEY)],
    ['encoded twice', encodeURIComponent(encode(ADMIN_KEY))],
  ])('has the admin key nowhere, %s', async (_, spelling) => {
    const text = await logged(spelling);
    expect(text).not.toContain('admin"');
    expect(text).not.toContain('admin\\"');
    expect(text.toLowerCase()).not.toContain(encode('admin'));
    expect(text.toLowerCase()).not.toContain(encodeURIComponent(encode('admin')));
    expect(text.match(/\(admin key\)/g)?.length).toBeGreaterThanOrEqual(5);
  });

  test('has no part of a secret at the end of a text that is cut', async () => {
    const secrets = [ADMIN_KEY, encode(ADMIN_KEY), encode('ps_live_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17')];
    const texts = secrets.flatMap((secret) =>
      Array.from({ length: secret.length }, (_, at) => `${'~'.repeat(Math.max(0, 195 - at))} ${secret}`),
    );
    for (const text of await Promise.all(texts.map(logged))) {
      for (const part of ['an-', encode('an'), encode('zQ')]) expect(text.split('\n')[0]).not.toContain(part);
    }
  });

  test('is one line a request, whatever is written into it', async () => {
    const forged = '\r\n{"event":"request","status":200}\u2028\u2029\u0085\u009b2J\u007f\u001b[2J\u0007\u202e\u2066"}';
    const lines = (await logged(forged)).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(['request', 'failure']);
    for (const line of lines) expect(line).not.toMatch(/\p{Cc}|\p{Zl}|\p{Zp}|\p{Bidi_Control}/u);
  });
});
