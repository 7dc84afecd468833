import { describe, expect, test } from 'bun:test';
import { Failure } from '../kernel/failure.ts';
import { createReplayCharge, resumeStream } from './resume-stream.ts';

const idOf = (sequence: bigint) => `evt_${String(sequence).padStart(24, '0')}`;

const start = ({ first = 1n, last = 2500n, requests = Number.POSITIVE_INFINITY } = {}) => {
  let paid = 0;
  const looked: string[] = [];
  const deps = {
    events: {
      range: async () => ({ first, last }),
      sequenceOf: async (id: string, { above, upTo }: { above: bigint; upTo: bigint }) => {
        for (let sequence = upTo; sequence > above; sequence -= 1n) if (idOf(sequence) === id) return sequence;
        return undefined;
      },
    },
    inTurn: (question: string, read: () => Promise<bigint | undefined>) => {
      looked.push(question);
      return read();
    },
    pay: () => {
      if (paid === requests) throw new Failure('rate_limit_exceeded', 'Used up.', { retryAfterSeconds: 1 });
      paid += 1;
    },
  };
  return { resume: (id?: string) => resumeStream(deps, id), paid: () => paid, looked };
};

const INVALID = { code: 'invalid_cursor' };

describe('the start of a stream', () => {
  test('is after the last event by default', async () => {
    expect(await start().resume()).toEqual({ after: 2500n, last: 2500n });
  });

  test.each(['0', '1', '2500'])('is after the sequence %s', async (id) => {
    const { resume, paid } = start();
    expect(await resume(id)).toEqual({ after: BigInt(id), last: 2500n });
    expect(paid()).toBe(0);
  });

  test.each([
    [2500n, 1, 0],
    [1501n, 1, 0],
    [1500n, 2, 1],
    [1n, 3, 2],
  ])('is after event %d if its id is given, found in %d reads for %d more requests', async (sequence, looks, price) => {
    const { resume, paid, looked } = start();
    expect(await resume(idOf(sequence))).toEqual({ after: sequence, last: 2500n });
    expect([looked.length, paid()]).toEqual([looks, price]);
  });

  test('is refused for an unknown event id', async () => {
    await expect(start().resume(idOf(9999n))).rejects.toMatchObject(INVALID);
    await expect(start({ first: 1n, last: 0n }).resume(idOf(1n))).rejects.toMatchObject(INVALID);
  });

  test('is refused for an expired event', async () => {
    const { resume } = start({ first: 2000n });
    await expect(resume('1998')).rejects.toMatchObject(INVALID);
    await expect(resume(idOf(1998n))).rejects.toMatchObject(INVALID);
    expect(await resume('1999')).toMatchObject({ after: 1999n });
  });

  test('is searched only as far as the limit of the caller allows', async () => {
    const { resume, looked } = start({ last: 1_000_000n, requests: 3 });
    await expect(resume(idOf(5n))).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    expect(looked).toHaveLength(4);
  });
});

describe('the cost of a stream', () => {
  const chargeFor = (last: bigint, portions: [bigint, bigint][]) => {
    let paid = 0;
    const charge = createReplayCharge(last, () => {
      paid += 1;
    });
    for (const [from, to] of portions) void charge(from, to);
    return paid;
  };
  const inHundreds = (count: number): [bigint, bigint][] =>
    Array.from({ length: count }, (_, index) => [BigInt(index * 100), BigInt(index * 100 + 100)]);

  test.each([
    [9, 0],
    [10, 1],
    [19, 1],
    [20, 2],
  ])('for %d hundred past events is %d more requests', (hundreds, price) => {
    expect(chargeFor(100_000n, inHundreds(hundreds))).toBe(price);
  });

  test('is zero for events that happen while it is open', () => {
    expect(chargeFor(0n, inHundreds(50))).toBe(0);
    expect(chargeFor(950n, inHundreds(50))).toBe(0);
  });
});
