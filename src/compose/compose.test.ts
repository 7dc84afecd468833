import { describe, expect, test } from 'bun:test';
import { createLog } from '../ops/log.ts';
import { composeStreams, createDrain } from './compose.ts';

const composeWith = async (fileDescriptors: number | undefined) => {
  let written = '';
  const log = createLog(
    'warn',
    async (text) => {
      written += text;
    },
    Date.now,
  );
  composeStreams({ log, fileDescriptors });
  await log.flush();
  return written;
};

describe('a process with a low limit on open files', () => {
  test('logs a warning at start that explains what to change', async () => {
    const written = await composeWith(1024);
    expect(JSON.parse(written)).toMatchObject({
      event: 'few_file_descriptors',
      limit: 1024,
      advice: 'only 512 event streams can be open; raise the limit on open files (ulimit -n) to 10000 or more',
    });
  });

  test.each([[10_000], [undefined]])('logs nothing if the limit is %p', async (limit) => {
    expect(await composeWith(limit)).toBe('');
  });
});

test('a drain calls all listeners except those that have unsubscribed', () => {
  const drain = createDrain();
  const { onStop } = drain;
  const heard: string[] = [];
  onStop(() => heard.push('one'));
  const leave = onStop(() => heard.push('two'));
  onStop(() => heard.push('three'));
  leave();
  expect(drain.hasBegun).toBe(false);
  drain.begin();
  expect(drain.hasBegun).toBe(true);
  expect(heard).toEqual(['one', 'three']);
});

test('a listener added during the drain is called immediately', () => {
  const { onStop, begin } = createDrain();
  begin();
  let heard = 0;
  const leave = onStop(() => {
    heard += 1;
  });
  leave();
  expect(heard).toBe(1);
});
