import { describe, expect, test } from 'bun:test';
import { waitFor } from '../../test/wait-for.ts';
import type { StoredEvent } from './event.ts';
import { createStream, toPortion } from './stream.ts';

const event = (sequence: number, type: StoredEvent['type'] = 'pet.created'): StoredEvent => ({
  storeId: 1n,
  sequence: BigInt(sequence),
  id: `evt_${sequence}`,
  type,
  occurredAt: 0,
  data: '{"object":{"id":9223372036854775807}}',
  actorKeyId: null,
  requestId: null,
  address: null,
  orderId: null,
});

const openStream = (heartbeatMs = 10_000, patienceMs = 10_000) => {
  const log: StoredEvent[] = [];
  let ended = 0;
  const looks: bigint[] = [];
  const { stream, wake, end } = createStream({
    after: 0n,
    read: async (after) => {
      looks.push(after);
      const events = log.filter(({ sequence }) => sequence > after).slice(0, 3);
      return toPortion(events, { after, most: 3, isShown: ({ type }) => type !== 'key.created' });
    },
    heartbeatMs,
    patienceMs,
    ended: () => {
      ended += 1;
    },
  });
  const reader = stream.getReader();
  const next = async (): Promise<string | undefined> => {
    const { done, value } = await reader.read();
    return done ? undefined : new TextDecoder().decode(value);
  };
  return {
    next,
    end,
    reader,
    append: (...sequences: number[]) => {
      log.push(...sequences.map((sequence) => event(sequence)));
      wake();
    },
    appendHidden: (...sequences: number[]) => {
      log.push(...sequences.map((sequence) => event(sequence, 'key.created')));
      wake();
    },
    looks,
    counts: () => ({ ended, reads: looks.length }),
  };
};

const ids = (text: string | undefined) => [...(text ?? '').matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

describe('a stream of events', () => {
  test('says hello at once', async () => {
    expect(await openStream().next()).toBe(': hello\n\n');
  });

  test('sends an event as its sequence, its type and the whole of it, with all digits', async () => {
    const { next, append } = openStream();
    await next();
    append(1);
    expect(await next()).toBe(
      'id: 1\nevent: pet.created\ndata: {"id":"evt_1","sequence":1,"type":"pet.created",' +
        '"timestamp":"1970-01-01T00:00:00.000Z","data":{"object":{"id":9223372036854775807}},"actor":null,"requestId":null}\n\n',
    );
  });

  test('sends what there is in portions, and nothing twice', async () => {
    const { next, append } = openStream();
    await next();
    append(1, 2, 3, 4, 5);
    expect(ids(await next())).toEqual([1, 2, 3]);
    expect(ids(await next())).toEqual([4, 5]);
    append(6);
    expect(ids(await next())).toEqual([6]);
  });

  test('misses nothing that arrives while it looks', async () => {
    const { next, append } = openStream();
    await next();
    const waiting = next();
    append(1);
    append(2);
    expect(ids(await waiting)).toEqual([1, 2]);
  });

  test('looks once at what its reader may not see', async () => {
    const { next, append, appendHidden, looks } = openStream();
    await next();
    const waiting = next();
    for (const sequence of [1, 2, 3]) {
      appendHidden(sequence);
      await new Promise((resolve) => setImmediate(resolve));
    }
    append(4);
    expect(ids(await waiting)).toEqual([4]);
    expect(looks).toEqual([0n, 0n, 1n, 2n, 3n]);
  });

  test('shows that it lives when nothing happens', async () => {
    const { next } = openStream(5);
    await next();
    expect(await next()).toBe(': still here\n\n');
    expect(await next()).toBe(': still here\n\n');
  });

  test('reads nothing that its reader has no room for', async () => {
    const { next, append, counts } = openStream();
    await next();
    for (let sequence = 1; sequence <= 100; sequence += 1) append(sequence);
    await new Promise((resolve) => setImmediate(resolve));
    expect(counts().reads).toBeLessThanOrEqual(2);
  });

  test('is cut off when its reader takes nothing while there is something new', async () => {
    const { next, append, counts } = openStream(10_000, 5);
    await next();
    append(1, 2, 3, 4);
    expect(ids(await next())).toEqual([1, 2, 3]);
    let sequence = 5;
    await waitFor('it is cut off', () => {
      append(sequence++);
      return counts().ended === 1;
    });
    await expect(next().then(next)).rejects.toThrow('too slow');
  });

  test('ends when it is told to, once', async () => {
    const { next, end, counts } = openStream();
    await next();
    const waiting = next();
    end();
    end();
    expect(await waiting).toBeUndefined();
    expect(counts().ended).toBe(1);
  });

  test('ends when its reader goes away, in the middle of waiting too', async () => {
    const { next, reader, counts } = openStream();
    await next();
    void next();
    await reader.cancel();
    expect(counts().ended).toBe(1);
  });
});
