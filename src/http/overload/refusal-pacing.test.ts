import { beforeEach, describe, expect, test } from 'bun:test';
import { createRefusalPacing, type RefusalPacing } from './refusal-pacing.ts';

let now: number;
let timers: (() => void)[];
let pace: RefusalPacing;
let sent: string[];
beforeEach(() => {
  now = 0;
  timers = [];
  sent = [];
  pace = createRefusalPacing({ elapsed: () => now, later: (callback) => timers.push(callback) });
});

const refuse = async (name: string, count = 1) => {
  for (let at = 0; at < count; at += 1) {
    const mayStay = pace.wait(name);
    if (mayStay instanceof Promise) void mayStay.then(() => sent.push(name));
    else sent.push(mayStay ? name : `${name} closed`);
  }
  await Promise.resolve();
};
const pass = async (ms: number) => {
  now += ms;
  for (const callback of timers.splice(0)) callback();
  await Promise.resolve();
};

describe('refusals', () => {
  test('are sent immediately, up to 2,000 in one burst', async () => {
    await refuse('a', 2000);
    expect(sent).toHaveLength(2000);
    await refuse('a');
    expect(sent).toHaveLength(2000);
  });

  test('beyond the burst are sent later, 2,000 a second', async () => {
    await refuse('a', 2100);
    await pass(10);
    expect(sent).toHaveLength(2020);
    await pass(15);
    expect(sent).toHaveLength(2050);
    for (let tick = 0; tick < 3; tick += 1) await pass(10);
    expect(sent).toHaveLength(2100);
    expect(timers).toHaveLength(0);
  });

  test('are not sent faster to catch up after the event loop was late', async () => {
    await refuse('a', 2500);
    await pass(1000);
    expect(sent).toHaveLength(2040);
  });

  test('to a client that is refused once do not wait for refusals to a client that keeps retrying', async () => {
    await refuse('many', 4000);
    await refuse('once');
    await pass(1);
    expect(sent.slice(2000)).toEqual(['many', 'once']);
  });

  test('are sent immediately and close the connection if 5,000 are queued', async () => {
    await refuse('many', 7000);
    await refuse('many', 2);
    expect(sent.slice(2000)).toEqual(['many closed', 'many closed']);
  });

  test('are sent immediately again after a quiet second', async () => {
    await refuse('a', 2040);
    await pass(300);
    await pass(1000);
    sent = [];
    await refuse('a', 2000);
    expect(sent).toHaveLength(2000);
  });

  test('are all sent when the service is about to stop, and no further refusal waits', async () => {
    await refuse('a', 3000);
    pace.end();
    await Promise.resolve();
    expect(sent).toHaveLength(3000);
    await refuse('a', 3000);
    expect(sent).toHaveLength(6000);
  });
});
