import { describe, expect, test } from 'bun:test';
import type { LogLevel } from '../kernel/log.ts';
import { createLog } from './log.ts';

const NOON = Date.parse('2026-11-20T12:00:00.123Z');

const createSlowSink = () => {
  const chunks: string[] = [];
  let taken = Promise.withResolvers<void>();
  let offered = Promise.withResolvers<void>();
  return {
    chunks,
    sink: (lines: Buffer): Promise<void> => {
      chunks.push(String(lines));
      offered.resolve();
      return taken.promise;
    },
    next: () => offered.promise,
    take() {
      offered = Promise.withResolvers();
      taken.resolve();
      taken = Promise.withResolvers();
    },
    fail() {
      offered = Promise.withResolvers();
      taken.reject(new Error('the pipe is broken'));
      taken = Promise.withResolvers();
    },
  };
};

const written = async (level: LogLevel, use: (log: ReturnType<typeof createLog>) => void): Promise<string> => {
  let text = '';
  const log = createLog(
    level,
    async (chunk) => {
      text += chunk;
    },
    () => NOON,
  );
  use(log);
  await log.flush();
  return text;
};

const parse = (chunk: string) =>
  chunk
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a log line', () => {
  test('is one JSON object with time, level, event and the fields', async () => {
    const text = await written('info', (log) => log.info('request', { status: 200, path: '/v1/pets' }));
    expect(text).toBe(
      '{"time":"2026-11-20T12:00:00.123Z","level":"info","event":"request","status":200,"path":"/v1/pets"}\n',
    );
  });

  test('needs no fields', async () => {
    const text = await written('info', (log) => log.info('stopped'));
    expect(text).toBe('{"time":"2026-11-20T12:00:00.123Z","level":"info","event":"stopped"}\n');
  });

  test('stays one line whatever the fields contain', async () => {
    const path = '/"\n\r\u2028{}\\';
    const text = await written('info', (log) => log.info('request', { path, nothing: undefined }));
    expect(text.indexOf('\n')).toBe(text.length - 1);
    expect(JSON.parse(text)).toMatchObject({ path });
  });

  test('has the time of its own event', async () => {
    let now = NOON;
    let text = '';
    const log = createLog(
      'info',
      async (chunk) => {
        text += chunk;
      },
      () => now,
    );
    log.info('first');
    now += 1;
    log.info('second');
    await log.flush();
    expect(parse(text).map(({ time }) => time)).toEqual(['2026-11-20T12:00:00.123Z', '2026-11-20T12:00:00.124Z']);
  });

  test('contains no API key, in any field', async () => {
    const key = 'ps_live_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17';
    const text = await written('info', (log) => log.info('request', { path: `/v1/pets/${key}`, other: [key] }));
    expect(text).not.toContain('zQWBuTSO');
    expect(JSON.parse(text)).toMatchObject({ path: '/v1/pets/ps_live_…', other: ['ps_live_…'] });
  });
});

describe('the log level', () => {
  const kept: [LogLevel, string[]][] = [
    ['silent', []],
    ['error', ['error']],
    ['warn', ['error', 'warn']],
    ['info', ['error', 'warn', 'info']],
  ];
  test.each(kept)('%s keeps %j', async (level, levels) => {
    const text = await written(level, (log) => {
      log.error('one');
      log.warn('two');
      log.info('three');
    });
    expect(text === '' ? [] : parse(text).map((line) => line.level)).toEqual(levels);
  });
});

describe('a slow sink', () => {
  test('gets the lines in batches, in their order', async () => {
    const { sink, chunks, next, take } = createSlowSink();
    const log = createLog('info', sink, () => NOON);
    for (let index = 0; index < 100; index++) log.info('request', { index });
    await next();
    for (let index = 100; index < 200; index++) log.info('request', { index });
    take();
    await next();
    expect(chunks.map((chunk) => parse(chunk).length)).toEqual([100, 100]);
    expect(chunks.flatMap(parse).map(({ index }) => index)).toEqual(Array.from({ length: 200 }, (_, index) => index));
  });

  test('buffers a bounded amount; further lines are dropped, counted and reported', async () => {
    const { sink, chunks, next, take } = createSlowSink();
    const log = createLog('info', sink, () => NOON);
    log.info('first');
    await next();
    const lines = 20_000;
    for (let index = 0; index < lines; index++) log.info('request', { index, filler: 'x'.repeat(200) });
    take();
    await next();

    expect(chunks[1]?.length).toBeLessThan(1.01 * 1024 * 1024);
    const seen = parse(chunks[1] ?? '');
    const last = seen.pop();
    expect(seen.map(({ index }) => index)).toEqual(seen.map((_, index) => index));
    expect(last).toMatchObject({ level: 'warn', event: 'log_lines_dropped', count: lines - seen.length });
  });

  test('that never finishes delays neither logging nor the stop', async () => {
    const { sink, next } = createSlowSink();
    const log = createLog('info', sink, () => NOON);
    log.info('first');
    await next();
    for (let index = 0; index < 100_000; index++) log.info('request', { index });
    await log.flush(1);
  });

  test('that fails loses its lines, and the next success reports their number', async () => {
    const { sink, chunks, next, take, fail } = createSlowSink();
    const log = createLog('info', sink, () => NOON);
    log.info('one');
    log.info('two');
    await next();
    fail();
    log.info('three');
    await next();
    take();
    await log.flush();
    expect(parse(chunks[1] ?? '').map(({ event, count }) => [event, count])).toEqual([
      ['three', undefined],
      ['log_lines_dropped', 2],
    ]);
  });
});

test('flush waits for earlier lines', async () => {
  const { sink, next, take } = createSlowSink();
  const log = createLog('info', sink, () => NOON);
  log.info('last words');
  let flushed = false;
  const flushing = log.flush().then(() => {
    flushed = true;
  });
  await next();
  expect(flushed).toBe(false);
  take();
  await flushing;
});
