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

/** Refuses somebody so often; what is sent is noted once it is. */
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
  test('are sent at once, up to two thousand that come together', async () => {
    await refuse('a', 2000);
    expect(sent).toHaveLength(2000);
    await refuse('a');
    expect(sent).toHaveLength(2000);
  });

  test('that are more are sent later, two thousand a second', async () => {
    await refuse('a', 2100);
    await pass(10);
    expect(sent).toHaveLength(2020);
    await pass(15);
    expect(sent).toHaveLength(2050);
    for (let tick = 0; tick < 3; tick += 1) await pass(10);
    expect(sent).toHaveLength(2100);
    expect(timers).toHaveLength(0);
  });

  test('that are more are not made up for when the event loop was late', async () => {
    await refuse('a', 2500);
    await pass(1000);
    expect(sent).toHaveLength(2040);
  });

  test('to somebody who is refused once do not wait behind those to somebody who is refused over and over', async () => {
    await refuse('many', 4000);
    await refuse('once');
    await pass(1);
    expect(sent.slice(2000)).toEqual(['many', 'once']);
  });

  test('of which five thousand wait already are sent at once, and end the connection', async () => {
    await refuse('many', 7000);
    await refuse('many', 2);
    expect(sent.slice(2000)).toEqual(['many closed', 'many closed']);
  });

  test('come at once again after a quiet second', async () => {
    await refuse('a', 2040);
    await pass(300);
    await pass(1000);
    sent = [];
    await refuse('a', 2000);
    expect(sent).toHaveLength(2000);
  });

  test('are all sent when the service is about to stop, and none waits from then on', async () => {
    await refuse('a', 3000);
    pace.end();
    await Promise.resolve();
    expect(sent).toHaveLength(3000);
    await refuse('a', 3000);
    expect(sent).toHaveLength(6000);
  });
});
