// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source code.
import type { BrokenRules } from './rule.ts';

export const CLIENT: readonly BrokenRules[] = [
  {
    file: 'client/src/retry.ts',
    tests: ['client/test/retries.test.ts'],
    changes: [
      ['a change is sent twice', "method !== 'PATCH' || headers.has('if-match')", 'true'],
      ['a timeout counts as not sent', 'error instanceof TimedOut ||\n', 'false ||\n'],
      ['a guarded change is not retried', "method !== 'PATCH' || headers.has('if-match')", "method !== 'PATCH'"],
      ['`Retry-After` is ignored', 'return error.retryAfterMs;', 'return 0;'],
      [
        'the wait doubles without an end',
        'Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1))',
        'FIRST_WAIT_MS * 2 ** (attempt - 1)',
      ],
      ['the wait does not grow', '2 ** (attempt - 1)', '1'],
      ['a repeated deletion fails', "method === 'DELETE' && error.code === 'not_found'", 'false'],
      ['a repeated change blames somebody else', "method !== 'PATCH' || error.code !== 'precondition_failed'", 'true'],
      [
        'rate limits are not waited out',
        "error instanceof RateLimited || error.code === 'idempotency_in_progress'",
        "error.code === 'idempotency_in_progress'",
      ],
    ],
  },
  {
    file: 'client/src/call.ts',
    tests: ['client/test/retries.test.ts', 'client/test/operations.test.ts'],
    changes: [
      ['one retry is missing', 'progress.attempts > retries', 'progress.attempts >= retries'],
      ['a call waits without an end', ' || progress.waitedMs > settings.maxWaitMs', ''],
      ['an abort does not end the wait', 'await runtime.sleep(waitMs, signal);', 'await runtime.sleep(waitMs);'],
      [
        "limits of other callers count as the key's",
        'if (seen && isOfKey(seen)) limits = seen;',
        'if (seen) limits = seen;',
      ],
      ['a refusal counts as a result', 'if (response.status < 400)', 'if (response.status < 500)'],
    ],
  },
  {
    file: 'client/src/list.ts',
    tests: ['client/test/lists.test.ts', 'client/test/hostile-servers.test.ts'],
    changes: [
      ['a page that names itself loops', 'cursor !== undefined && cursor === query.cursor', 'false'],
      ['`max` returns one item too many', 'items.length >= max', 'items.length > max'],
      ['a walk ends after one page', 'page = await page.next();', 'page = undefined;'],
      ['a walk costs five times the requests', 'LARGEST_PAGE = 100', 'LARGEST_PAGE = 20'],
      ['the second page drops the filters', 'readPage({ ...query, cursor })', 'readPage({ cursor })'],
      ['an object passes for a list', 'if (!Array.isArray(data)) throw', 'if (false) throw'],
      ['`max: 0` returns an item', 'if (max <= 0) return items;', ''],
    ],
  },
  {
    file: 'client/src/webhook.ts',
    tests: ['client/src/webhook.test.ts'],
    changes: [
      [
        'a delivery from the future is fresh',
        '!(Math.abs(ageSeconds) <= toleranceSeconds)',
        '!(ageSeconds <= toleranceSeconds)',
      ],
      ['an old delivery is fresh', '!(Math.abs(ageSeconds) <= toleranceSeconds)', '!(-ageSeconds <= toleranceSeconds)'],
      [
        'a delivery without a time is fresh',
        '!(Math.abs(ageSeconds) <= toleranceSeconds)',
        'Math.abs(ageSeconds) > toleranceSeconds',
      ],
      ['an empty secret verifies', 'MIN_BYTES = 24', 'MIN_BYTES = 0'],
      ['no secret is needed', 'if (secrets.length === 0) throw', 'if (false) throw'],
      ['the time is not signed', '`${id}.${timestamp}.`', '`${id}.`'],
      ['the id is not signed', '`${id}.${timestamp}.`', '`${timestamp}.`'],
      [
        'any signature verifies',
        "if (await crypto.subtle.verify('HMAC', key, signature, content)) return true;",
        'return signature !== key;',
      ],
      [
        'only the first secret verifies',
        'for (const secret of secrets) {',
        'for (const secret of secrets.slice(0, 1)) {',
      ],
      [
        'only the first signature counts',
        'of readSignatures(signatures))',
        'of readSignatures(signatures).slice(0, 1))',
      ],
      [
        'a parsed body is accepted',
        "throw new TypeError('body: must be the raw text or bytes, not a parsed body');",
        'return new TextEncoder().encode(JSON.stringify(body));',
      ],
    ],
  },
  {
    file: 'client/src/json.ts',
    tests: ['client/src/json.test.ts'],
    changes: [
      ['an integer of 16 digits is rounded', String.raw`/^-?\d{16,20}$/`, String.raw`/^-?\d{17,20}$/`],
      ['digits in a text become an integer', String.raw`/"[^"\\]*(?:\\.[^"\\]*)*"|-?`, '/-?'],
      ['a rounded number is sent', "if (typeof inner === 'number') digitsOf(inner);", ''],
      ['every integer is a bigint', 'LONG_INTEGER.test(token) && isUnsafe(BigInt(token))', 'LONG_INTEGER.test(token)'],
      ['a negative integer is rounded', String.raw`/^-?\d{16,20}$/`, String.raw`/^\d{16,20}$/`],
    ],
  },
  {
    file: 'client/src/stream.ts',
    tests: ['client/test/streams.test.ts', 'client/test/hostile-servers.test.ts'],
    changes: [
      ['a reconnect repeats events', 'place = message.id ?? place;', ''],
      ['an unwanted event is yielded', 'if (isWanted(event.type)) yield event;', 'yield event;'],
      ['an unwanted event ends the stream', '(name !== undefined && !isWanted(name))', 'false'],
      ['a refusal is retried forever', 'else if (!mayRetry(reason, request)) throw reason;', ''],
      [
        'another page passes for a stream',
        "if (!STREAM.test(response.headers.get('content-type') ?? ''))",
        'if (false)',
      ],
      [
        'a stream without `after` has a gap',
        'return event === undefined ? BEGINNING : String(event.sequence);',
        'return String(Number(event?.sequence ?? 0) + 1);',
      ],
      ['an abort is an error', 'if (!options.signal?.aborted) throw error;', 'throw error;'],
    ],
  },
  {
    file: 'client/src/server-sent-events.ts',
    tests: ['client/src/server-sent-events.test.ts', 'client/test/hostile-servers.test.ts'],
    changes: [
      ['an endless message fills the memory', 'if (text.length > MAX_CHARACTERS)', 'if (false)'],
      ['lines of data run together', "data.join('\\n')", "data.join('')"],
      ['an id breaks the next request', "name === 'id' && SENDABLE.test(value)", "name === 'id'"],
      ['a message may not span two chunks', "text = blocks.pop() ?? '';", "text = '';"],
    ],
  },
  {
    file: 'client/src/attempt.ts',
    tests: ['client/test/hostile-servers.test.ts', 'client/test/retries.test.ts', 'client/test/operations.test.ts'],
    changes: [
      ['a redirect carries the key elsewhere', "redirect: 'manual'", "redirect: 'follow'"],
      [
        'a redirect counts as a result',
        "if (type !== 'opaqueredirect' && (status < 300 || status > 399 || status === 304)) return;",
        'if (status !== 1) return;',
      ],
      ['a call has no timeout', 'open.startTimer();', ''],
      ['an unreachable service may have acted', 'ECONNREFUSED|ConnectionRefused|', ''],
      ['an aborted call blames the connection', 'limit.signal?.throwIfAborted();\n    throw', 'throw'],
    ],
  },
  {
    file: 'client/src/request.ts',
    tests: ['client/test/operations.test.ts', 'client/test/hostile-servers.test.ts'],
    changes: [
      ['a path leaves `/v1`', '.href.startsWith(`${baseUrl}/`)', '.href.startsWith(new URL(baseUrl).origin)'],
      ['an encoded slash leaves `/v1`', ".replace(/%2f|%5c/gi, '/')", ''],
      ['a retry creates a second pet', "if (method === 'POST') {", 'if (idempotencyKey) {'],
      ['the debug hook shows the key', "shown.delete('Authorization');", ''],
      ['`..` is an id', "|| text === '.' || text === '..'", ''],
      ['an id may contain a slash', 'return encodeURIComponent(text);', 'return text;'],
      [
        'a header of the caller replaces the key',
        "headers.set('Authorization', `Bearer ${key}`);",
        "if (!headers.has('Authorization')) headers.set('Authorization', `Bearer ${key}`);",
      ],
      ['a change is not guarded', "if (ifMatch !== undefined) headers.set('If-Match', ifMatch);", ''],
    ],
  },
  {
    file: 'client/src/answer.ts',
    tests: ['client/test/operations.test.ts', 'client/test/retries.test.ts'],
    changes: [
      ['`Retry-After` is in milliseconds', 'Number(text) * 1000', 'Number(text)'],
      ['a stored response looks new', "=== 'true'", "=== 'yes'"],
      ['an error does not name its fields', 'Array.isArray(errors) ? errors.filter(isFieldError) : []', '[]'],
    ],
  },
  {
    file: 'client/src/body.ts',
    tests: ['client/test/hostile-servers.test.ts'],
    changes: [['an endless body fills the memory', 'if (length > MAX_BYTES)', 'if (false)']],
  },
  {
    file: 'client/src/options.ts',
    tests: ['client/test/operations.test.ts', 'client/test/retries.test.ts', 'client/test/hostile-servers.test.ts'],
    changes: [
      ['negative retries are accepted', "typeof value === 'number' && value >= 0", "typeof value === 'number'"],
      ['one idempotency key serves all calls', "['Idempotency-Key', 'If-Match']", "['If-Match']"],
      ['a hook that throws ends the call', '(async () => hook?.(note))().catch(report);', 'hook?.(note);'],
      ['a key with a line break is accepted', 'if (!VISIBLE.test(key)) throw', 'if (false) throw'],
    ],
  },
];
