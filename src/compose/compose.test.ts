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

describe('a process that may have few files open', () => {
  test('says so at its start, and what to change', async () => {
    const written = await composeWith(1024);
    expect(JSON.parse(written)).toMatchObject({
      event: 'few_file_descriptors',
      limit: 1024,
      advice: 'no more than 512 event streams; raise the limit (ulimit -n) to 10000 or more',
    });
  });

  test.each([[10_000], [undefined]])('says nothing where it may have enough, or as many as %p', async (limit) => {
    expect(await composeWith(limit)).toBe('');
  });
});

test('all who listen hear that the service is about to stop, and those who have left do not', () => {
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

test('whoever comes when the service is about to stop hears of it at once', () => {
  const { onStop, begin } = createDrain();
  begin();
  let heard = 0;
  const leave = onStop(() => {
    heard += 1;
  });
  leave();
  expect(heard).toBe(1);
});
