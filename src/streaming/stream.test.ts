import { afterEach, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { createTestClock } from '../../test/clock.ts';
import { sampleEvent } from '../../test/sample-event.ts';
import { waitFor } from '../../test/wait-for.ts';
import { Failure } from '../kernel/failure.ts';
import type { StoredEvent } from '../resources/events/event.ts';
import { createStream, type EncodedBatch, encodeBatch } from './stream.ts';

const HEARTBEAT_MS = 15_000;
const PATIENCE_MS = 30_000;
const LONGEST_MS = 3_600_000;

type Options = { charge?: (from: bigint, to: bigint) => void; read?: (after: bigint) => EncodedBatch };

const openStream = ({ charge = () => undefined, read }: Options = {}) => {
  const log: StoredEvent[] = [];
  const clock = createTestClock();
  let ended = 0;
  const looks: bigint[] = [];
  const batchAfter = (after: bigint) => {
    const events = log.filter(({ sequence }) => sequence > after).slice(0, 3);
    return encodeBatch(events, { after, most: 3 });
  };
  const made = createStream({
    after: 0n,
    audience: 'others',
    read: (after, receiver) => {
      looks.push(after);
      setImmediate(() => {
        try {
          receiver.receive((read ?? batchAfter)(after));
        } catch (error) {
          receiver.fail(error);
        }
      });
    },
    charge,
    retryMs: 1500,
    elapsed: clock,
    ended: () => {
      ended += 1;
    },
  });
  const append = (type: StoredEvent['type'], sequences: number[]) => {
    log.push(...sequences.map((sequence) => sampleEvent(sequence, type)));
    made.wake();
  };
  return {
    ...made,
    clock,
    pass: (ms: number) => {
      clock.advance(ms);
      made.tend();
    },
    append: (...sequences: number[]) => append('pet.created', sequences),
    appendHidden: (...sequences: number[]) => append('key.created', sequences),
    looks,
    counts: () => ({ ended, reads: looks.length }),
  };
};

const readStream = (options?: Options) => {
  const opened = openStream(options);
  const reader = opened.stream.getReader();
  const next = async (): Promise<string | undefined> => {
    const { done, value } = await reader.read();
    return done ? undefined : new TextDecoder().decode(value);
  };
  return { ...opened, reader, next };
};

const ids = (text: string | undefined) => [...(text ?? '').matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('an event stream', () => {
  test('starts with a greeting', async () => {
    expect(await readStream().next()).toBe(': hello\n\n');
  });

  test('sends the sequence, type and full body of an event, with all digits', async () => {
    const { next, append } = readStream();
    await next();
    append(1);
    expect(await next()).toBe(
      'id: 1\nevent: pet.created\ndata: {"id":"evt_1","sequence":1,"type":"pet.created",' +
        '"timestamp":"1970-01-01T00:00:00.000Z","data":{"object":{"id":9223372036854775807}},"actor":null,"requestId":null}\n\n',
    );
  });

  test('sends stored events in batches, and none twice', async () => {
    const { next, append } = readStream();
    await next();
    append(1, 2, 3, 4, 5);
    expect(ids(await next())).toEqual([1, 2, 3]);
    expect(ids(await next())).toEqual([4, 5]);
    append(6);
    expect(ids(await next())).toEqual([6]);
  });

  test('misses no event that arrives during a read', async () => {
    const { next, append } = readStream();
    await next();
    const waiting = next();
    append(1);
    append(2);
    expect(ids(await waiting)).toEqual([1, 2]);
  });

  test('reads events that its client may not see only once', async () => {
    const { next, append, appendHidden, looks } = readStream();
    await next();
    const waiting = next();
    await turnOfTheLoop();
    for (const sequence of [1, 2, 3]) {
      appendHidden(sequence);
      await turnOfTheLoop();
    }
    append(4);
    expect(ids(await waiting)).toEqual([4]);
    expect(looks).toEqual([0n, 0n, 1n, 2n, 3n]);
  });

  test('reads nothing while the buffer of its client is full', async () => {
    const { next, append, counts } = readStream();
    await next();
    for (let sequence = 1; sequence <= 100; sequence += 1) append(sequence);
    await turnOfTheLoop();
    expect(counts().reads).toBe(0);
    expect(ids(await next())).toEqual([1, 2, 3]);
    await turnOfTheLoop();
    expect(counts().reads).toBe(1);
  });

  test('sends a heartbeat after 15 seconds of silence', async () => {
    const { next, append, pass, counts } = readStream();
    await next();
    const waiting = next();
    await turnOfTheLoop();
    pass(HEARTBEAT_MS - 1);
    append(1);
    expect(ids(await waiting)).toEqual([1]);
    const quiet = next();
    await turnOfTheLoop();
    pass(HEARTBEAT_MS - 1);
    pass(1);
    expect(await quiet).toBe(': still here\n\n');
    expect(counts().ended).toBe(0);
  });

  test('ends once', async () => {
    const { next, end, counts } = readStream();
    await next();
    const waiting = next();
    end();
    end();
    expect(await waiting).toBeUndefined();
    expect(counts().ended).toBe(1);
  });

  test('ends when its client disconnects, even during a wait', async () => {
    const { next, reader, counts, append, pass } = readStream();
    await next();
    void next();
    await reader.cancel();
    expect(counts().ended).toBe(1);
    append(1);
    pass(LONGEST_MS);
    await turnOfTheLoop();
    expect(counts()).toEqual({ ended: 1, reads: 1 });
  });

  test('ends after an hour, with a reconnect delay', async () => {
    const { next, pass, counts } = readStream();
    await next();
    const afterSilence = async () => {
      const waiting = next();
      await turnOfTheLoop();
      pass(HEARTBEAT_MS);
      return waiting;
    };
    for (let passed = HEARTBEAT_MS; passed < LONGEST_MS; passed += HEARTBEAT_MS) {
      expect(await afterSilence()).toBe(': still here\n\n');
    }
    expect(counts().ended).toBe(0);
    expect(await afterSilence()).toBe(': reconnect with Last-Event-ID\nretry: 1500\n\n');
    expect(await next()).toBeUndefined();
    expect(counts().ended).toBe(1);
  });

  test('ends with the time until its limit resets, when the caller is over its limit', async () => {
    const paid: [bigint, bigint][] = [];
    const charge = (from: bigint, to: bigint) => {
      if (to > 3n) throw new Failure('rate_limit_exceeded', 'Used up.', { retryAfterSeconds: 31 });
      paid.push([from, to]);
    };
    const { next, append, counts } = readStream({ charge });
    await next();
    append(1, 2, 3, 4, 5);
    expect(ids(await next())).toEqual([1, 2, 3]);
    expect(await next()).toBe(': Used up.\nretry: 31000\n\n');
    expect(await next()).toBeUndefined();
    expect([paid, counts().ended]).toEqual([[[0n, 3n]], 1]);
  });

  test('ends with a reconnect delay when events cannot be read', async () => {
    const { next, counts } = readStream({
      read: () => {
        throw new Error('secret');
      },
    });
    await next();
    expect(await next()).toBe(': events cannot be read right now\nretry: 1500\n\n');
    expect(await next()).toBeUndefined();
    expect(counts().ended).toBe(1);
  });
});

describe('a client on a socket', () => {
  const opened: (() => void)[] = [];
  afterEach(() => {
    for (const close of opened.splice(0)) close();
  });

  const serveTo = async (options?: Options) => {
    const made = openStream(options);
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 0,
      fetch: () => new Response(made.stream),
    });
    const socket = connect(server.port ?? 0, '127.0.0.1');
    let isReset = false;
    socket.on('error', () => {
      isReset = true;
    });
    opened.push(
      () => socket.destroy(),
      () => void server.stop(true),
    );
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    return { ...made, socket, isReset: () => isReset };
  };

  /** Larger than all of a connection's buffers combined. */
  const HUGE = new Uint8Array(32 * 1024 * 1024);
  const huge = (after: bigint): EncodedBatch => ({
    chunks: { operators: HUGE, others: HUGE },
    position: after + 1n,
    mayBeMore: true,
  });

  test('that reads nothing is disconnected after 30 seconds, even without new events', async () => {
    const { pass, counts, socket, isReset } = await serveTo({ read: huge });
    await waitFor('more is sent than the client takes', () => counts().reads === 1);
    pass(PATIENCE_MS - 1);
    expect(counts().ended).toBe(0);
    pass(1);
    expect(counts()).toEqual({ ended: 1, reads: 1 });
    socket.resume();
    await waitFor('the connection is reset', isReset);
  });

  test('that reads everything stays connected, however slow it is', async () => {
    let reads = 0;
    const read = (after: bigint) => {
      reads += 1;
      return reads === 1 ? { ...huge(after), mayBeMore: false } : encodeBatch([], { after, most: 3 });
    };
    const { pass, counts, socket, append } = await serveTo({ read });
    await waitFor('more is sent than the client takes', () => reads === 1);
    pass(PATIENCE_MS - 1);
    socket.resume();
    append();
    await waitFor('more is read', () => reads === 2);
    pass(HEARTBEAT_MS);
    pass(PATIENCE_MS - 1);
    expect(counts().ended).toBe(0);
  });

  test('that disconnects ends the stream', async () => {
    const { counts, socket } = await serveTo();
    socket.destroy();
    await waitFor('the stream has ended', () => counts().ended === 1);
  });
});
