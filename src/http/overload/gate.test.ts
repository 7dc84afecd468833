import { beforeEach, describe, expect, test } from 'bun:test';
import { createGate, type Gate } from './gate.ts';

let now: number;
let waiting: number;
let waitedMs: number;
let turns: (() => void)[];
let timers: (() => void)[];
let wentOn: number;
let processorMs: number;
let gate: Gate;
let served: string[];
beforeEach(() => {
  now = 1000;
  [waiting, waitedMs] = [0, 0];
  [turns, timers, served, wentOn, processorMs] = [[], [], [], 0, 0];
  gate = createGate({
    backlog: {
      get pending() {
        return waiting;
      },
    },
    waitedMs: () => waitedMs,
    maxWaiting: 4000,
    elapsed: () => now,
    processorMs: () => processorMs,
    forceProgress: () => {
      wentOn += 1;
    },
    nextTurn: (callback) => turns.push(callback),
    later: (callback) => timers.push(callback),
  });
});

const send = (name: string, count = 1, isKnown = true, mayWrite = true) => {
  for (let at = 0; at < count; at += 1) {
    if (gate.isOpen(now)) served.push(name);
    else {
      gate
        .wait({ name, isKnown, mayWrite })
        .then(() => void served.push(name))
        .catch(({ code }) => void served.push(`${name} ${code}`));
    }
  }
};
const settle = () => new Promise((resolve) => setImmediate(resolve));
const turn = async () => {
  for (const callback of turns.splice(0)) callback();
  await settle();
};
const runTimers = async () => {
  for (const callback of timers.splice(0)) callback();
  await settle();
};
const count = (name: string) => served.filter((one) => one === name).length;

const makeLong = () => {
  send('first', 1024);
  now += 11;
  served = [];
};

describe('a request', () => {
  test('is served immediately, with any number of others, while turns of the event loop are short', async () => {
    for (let round = 0; round < 3; round += 1) {
      send('a', 5000);
      now += 10;
      send('a', 5000);
      await turn();
    }
    expect(served).toHaveLength(30_000);
  });

  test('that arrives late in a turn waits for the next turn, so that the current one can end', async () => {
    makeLong();
    send('late');
    expect(served).toEqual([]);
    await turn();
    expect(served).toEqual(['late']);
  });

  test('is served immediately in a turn with few requests, however long other processes held the processor', () => {
    send('a', 1023);
    now += 5000;
    send('b');
    expect(count('b')).toBe(1);
  });

  test('never overtakes a waiting request', async () => {
    makeLong();
    send('a', 65);
    await turn();
    expect(count('a')).toBe(64);
    send('a');
    expect(count('a')).toBe(64);
    await turn();
    expect(count('a')).toBe(66);
    send('a');
    expect(count('a')).toBe(67);
  });

  test('of a client that sends few requests is served before the many of another client', async () => {
    makeLong();
    send('many', 500);
    send('few', 2);
    await turn();
    expect([served.indexOf('few'), served.lastIndexOf('few')].map((at) => at < 6)).toEqual([true, true]);
  });

  test('is one of at most 64 served per turn', async () => {
    makeLong();
    send('many', 500);
    await turn();
    expect(served).toHaveLength(64);
    for (let key = 0; key < 10; key += 1) send(`key ${key}`, 50);
    await turn();
    expect(served).toHaveLength(64 + 64);
  });

  test('with a known key is served before those of unknown callers, who get one slot in eight', async () => {
    makeLong();
    send('stranger', 500, false);
    for (let key = 0; key < 100; key += 1) send(`key ${key}`);
    await turn();
    expect(served).toHaveLength(64);
    expect(count('stranger')).toBe(8);
  });

  test('without a key is served if no other request waits', async () => {
    makeLong();
    send('stranger', 16, false);
    await turn();
    expect(count('stranger')).toBe(16);
  });

  test('that takes a long time ends its slice, and the rest is served in the next turn', async () => {
    makeLong();
    expect(gate.isOpen(now)).toBe(false);
    for (let at = 0; at < 5; at += 1) {
      void gate.wait({ name: 'slow', isKnown: true, mayWrite: true }).then(() => {
        served.push('slow');
        now += 4;
      });
    }
    await turn();
    expect(count('slow')).toBe(3);
    await turn();
    expect(count('slow')).toBe(5);
  });
});

describe('in a turn that does not end although all requests wait', () => {
  const pass = (ms: number, ofProcessor = ms) => {
    now += ms;
    processorMs += ofProcessor;
  };

  test('pending writes advance and a slice is served for every 25 ms of processor time', async () => {
    makeLong();
    pass(25);
    send('a', 100);
    expect([wentOn, count('a')]).toEqual([0, 0]);
    pass(25);
    send('a');
    await settle();
    expect([wentOn, count('a')]).toEqual([1, 64]);
    send('a', 50);
    await settle();
    expect([wentOn, count('a')]).toEqual([1, 64]);
    pass(25);
    send('a');
    await settle();
    expect([wentOn, count('a')]).toEqual([2, 128]);
    await turn();
    expect(wentOn).toBe(2);
  });

  test('nothing is done while other processes hold the processor', () => {
    makeLong();
    send('a', 100);
    for (let look = 0; look < 10; look += 1) {
      pass(25, 2);
      send('a');
    }
    expect([wentOn, count('a')]).toEqual([0, 0]);
  });

  test('requests that have waited too long are refused', async () => {
    makeLong();
    send('a', 1000);
    pass(25);
    send('a');
    pass(176);
    send('a');
    await settle();
    expect(count('a unavailable')).toBe(489);
  });
});

describe('when many requests wait', () => {
  test('late requests are refused, starting with the client that sent the most', async () => {
    makeLong();
    send('many', 1000);
    send('few', 3);
    now += 201;
    await turn();
    expect([count('many unavailable'), count('few unavailable'), count('few')]).toEqual([491, 0, 3]);
  });

  test('a request that has not waited long is not refused', async () => {
    makeLong();
    send('many', 1000);
    now += 200;
    await turn();
    expect(count('many unavailable')).toBe(0);
  });

  test('a request waits at most 50 ms if the queue was last empty more than 200 ms ago', async () => {
    makeLong();
    send('many', 1000);
    now += 201;
    await turn();
    expect([count('many unavailable'), count('many')]).toEqual([488, 64]);
    send('many', 1000);
    now += 50;
    await turn();
    expect([count('many unavailable'), count('many')]).toEqual([488 + 448, 128]);
    now += 1;
    await turn();
    expect([count('many unavailable'), count('many')]).toEqual([488 + 448 + 424, 192]);
  });

  test('after the queue has been empty, the next requests count as a burst again', async () => {
    makeLong();
    send('many', 1000);
    now += 500;
    while (turns.length > 0) await turn();
    expect(count('many unavailable')).toBeGreaterThan(0);
    makeLong();
    send('burst', 1000);
    now += 199;
    while (turns.length > 0) await turn();
    expect(count('burst')).toBe(1000);
  });

  test('a queue of 512 is served completely, however long other processes held the processor', async () => {
    makeLong();
    send('burst', 512);
    now += 5000;
    while (turns.length > 0) await turn();
    expect([count('burst'), count('burst unavailable')]).toEqual([512, 0]);
  });

  test('unknown callers wait longer before they are refused', async () => {
    makeLong();
    send('stranger', 1000, false);
    now += 1000;
    await turn();
    expect(count('stranger unavailable')).toBe(0);
    now += 1;
    await turn();
    expect(count('stranger unavailable')).toBeGreaterThan(400);
  });
});

describe('while writes are late', () => {
  test('reads with a known key are served, alternating with pages', async () => {
    [waiting, waitedMs] = [3999, 5000];
    send('writes', 300);
    waiting = 4000;
    send('reads', 100, true, false);
    waiting = 3999;
    send('stranger', 100, false, false);
    for (let at = 0; at < 100; at += 1) {
      void gate.waitForPage({ name: 'b', isKnown: false, mayWrite: false }).then(() => served.push('page'));
    }
    await turn();
    expect([served.length, count('reads'), count('page')]).toEqual([64, 32, 32]);
  });

  test('a new write waits until the others are on time, and the gate checks for this at intervals', async () => {
    [waiting, waitedMs] = [256, 21];
    send('a');
    await turn();
    expect(served).toEqual([]);
    expect([turns.length, timers.length]).toEqual([0, 1]);
    waitedMs = 20;
    await runTimers();
    expect(served).toEqual(['a']);
  });

  test('a few writes on a slow disk do not count as late', () => {
    [waiting, waitedMs] = [255, 5000];
    send('a');
    expect(served).toEqual(['a']);
  });

  test('pages are served', async () => {
    [waiting, waitedMs] = [512, 51];
    send('a');
    expect(gate.isOpen(now)).toBe(false);
    void gate.waitForPage({ name: 'b', isKnown: false, mayWrite: false }).then(() => served.push('page'));
    await turn();
    expect(served).toEqual(['page']);
  });

  test('a new write is refused immediately if the maximum number is already waiting', () => {
    waiting = 4000;
    expect(gate.isOpen(now)).toBe(false);
    expect(() => gate.wait({ name: 'a', isKnown: true, mayWrite: true })).toThrow('overloaded');
  });
});

describe('pages', () => {
  test('are never refused, and leave slots for callers however many are requested', async () => {
    makeLong();
    for (let at = 0; at < 1000; at += 1) {
      gate.isOpen(now);
      void gate.waitForPage({ name: 'reader', isKnown: false, mayWrite: false }).then(() => served.push('page'));
    }
    send('a', 100);
    now += 5000;
    await turn();
    expect([count('page'), count('a')]).toEqual([16, 48]);
    while (turns.length > 0) await turn();
    expect([count('page'), count('a')]).toEqual([1000, 100]);
  });
});

describe('the service', () => {
  test('reports overload if writes stay late', async () => {
    [waiting, waitedMs] = [512, 51];
    send('a', 1000);
    await turn();
    now += 5000;
    await runTimers();
    expect(count('a unavailable')).toBe(488);
    expect(gate.isSheddingAll()).toBe(true);
  });

  test('does not report overload while only unknown callers are refused', async () => {
    [waiting, waitedMs] = [512, 51];
    send('stranger', 1000, false);
    await turn();
    now += 5000;
    await runTimers();
    expect(count('stranger unavailable')).toBe(488);
    expect(gate.isSheddingAll()).toBe(false);
  });
});
