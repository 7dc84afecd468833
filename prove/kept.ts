import { expect } from 'bun:test';
import { readPostgres } from '../test/postgres-database.ts';
import type { Sent } from './load.ts';
import type { Tell } from './proof.ts';

const LONGEST_MS = 5000;
const AGAIN_MS = 2000;

const isAcknowledged = ({ status }: Sent): boolean => status === 201;

const idsBy = (rows: readonly { what: string | number; id: number }[]) =>
  new Map([...Map.groupBy(rows, ({ what }) => what)].map(([what, found]) => [what, found.map(({ id }) => id)]));

/** Checks that every acknowledged write is stored exactly once. A refused write may be stored once or not at all. */
export const expectKept = async (
  tell: Tell,
  url: string,
  { all, again }: { all: readonly Sent[]; again: readonly Sent[] },
): Promise<void> => {
  const stored = await readPostgres(url, async (rows) => ({
    pets: idsBy(await rows('SELECT name AS what, id FROM pets')),
    orders: idsBy(await rows('SELECT pet_id AS what, id FROM orders')),
    counts: (
      await rows(`SELECT (SELECT count(*) FROM pets) AS pets, (SELECT sum(count) FROM inventory) AS counted,
        (SELECT count(*) FROM events WHERE type = 'pet.created') AS seen,
        (SELECT count(*) FROM orders) AS orders,
        (SELECT count(*) FROM events WHERE type = 'order.placed') AS ordered`)
    )[0],
    numbers: await rows(
      'SELECT count(sequence) AS given, count(DISTINCT sequence) AS different, max(sequence) AS highest FROM events WHERE store_id = 1',
    ),
  }));
  const found = ({ kind, name, petId }: Sent): number[] =>
    (kind.startsWith('order') ? stored.orders.get(petId as number) : stored.pets.get(name)) ?? [];

  const writes = all.filter(({ kind }) => kind !== 'read');
  const retried = new Map(again.map((sent) => [sent.name, sent]));
  let unsure = 0;
  for (const sent of writes) {
    const last = retried.get(sent.name) ?? sent;
    if (isAcknowledged(last))
      expect({ sent: last.name, ids: found(last) }).toEqual({ sent: last.name, ids: [last.id as number] });
    else {
      expect(found(sent).length).toBeLessThanOrEqual(1);
      unsure += found(sent).length;
    }
  }
  expect(again.filter((sent) => !isAcknowledged(sent))).toEqual([]);
  const { pets, counted, seen, orders, ordered } = stored.counts;
  expect([counted, seen, ordered]).toEqual([pets, pets, orders]);
  const [{ given, different, highest }] = stored.numbers as [{ given: number; different: number; highest: number }];
  expect([different, highest]).toEqual([given, given]);
  tell.figure(
    `0 of ${writes.filter(isAcknowledged).length} acknowledged writes lost, 0 duplicated, ${unsure} refused but executed`,
  );
};

export const PATIENCE_MS = 1300;

export const refusedEarly = (all: readonly Sent[]): readonly Sent[] =>
  all.filter(({ status, isShed, tookMs }) => status === 503 && !isShed && tookMs < PATIENCE_MS);

export const expectServedThrough = (tell: Tell, all: readonly Sent[], backAt?: number): { refused: number } => {
  const inVain = all.filter(({ status }) => status !== 200 && status !== 201);
  const wrong = inVain.filter(
    ({ status, code, retryAfter }) => status !== 503 || code !== 'unavailable' || !/^[1-9]\d*$/.test(retryAfter ?? ''),
  );
  expect(wrong.map(({ kind, status, code, retryAfter }) => ({ kind, status, code, retryAfter }))).toEqual([]);
  const refused = inVain.filter(({ isShed }) => !isShed);
  tell.figure(`${all.length} requests, ${refused.length} refused, ${inVain.length - refused.length} shed`);
  tell.time('longest response', Math.max(...all.map(({ tookMs }) => tookMs)), LONGEST_MS);
  if (backAt !== undefined) {
    const lastAt = Math.max(...refused.map(({ sentAt }) => sentAt), backAt);
    tell.time('serving again after', lastAt - backAt, AGAIN_MS);
  }
  return { refused: refused.length };
};
