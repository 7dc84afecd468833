import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { readPostgres } from '../test/postgres-database.ts';
import { waitFor } from '../test/wait-for.ts';
import { type Receiver, startReceiver } from '../test/webhook-receiver.ts';
import { startChaosCallers } from './chaos-callers.ts';
import { scheduleOf } from './chaos-faults.ts';
import { type ChaosFleet, type Place, startChaosFleet } from './chaos-fleet.ts';
import { askInvariants } from './invariants.ts';
import { LONG, proof } from './proof.ts';
import { createSeeded, seedOfRun } from './seeded.ts';

const INSTANCES = 4;
const REQUESTS = LONG ? 20_000 : 2000;
const TIMES = LONG ? 5 : 1;
const CALLERS = 12;
const PAUSE_MS = LONG ? 20 : 60;
const LIMIT = 150;
const ENOUGH_REFUSED = 20;
const LIMITED_CALLERS = 2;
/**
 * Results that are allowed while faults are injected. 0 means a broken connection. 502 comes from the load balancer,
 * not from the service.
 */
const WORDS = ['0', '200', '201', '204', '502', 'unavailable', 'idempotency_in_progress'];
const CONFLICTS = ['not_found', 'pet_not_available', 'pet_reserved', 'invalid_status_transition'];

const startLimited = (origin: string, key: string) => {
  const seen = { admitted: 0, refused: 0 };
  let mayEnd = false;
  const ask = async (): Promise<void> => {
    while (!mayEnd || seen.refused < ENOUGH_REFUSED) {
      const headers = { Authorization: `Bearer ${key}` };
      const asked = { headers, signal: AbortSignal.timeout(6000) };
      const answer = await fetch(`${origin}/v1/pets?limit=1`, asked).catch(() => undefined);
      await answer?.text().catch(() => undefined);
      if (answer?.status === 200) seen.admitted += 1;
      if (answer?.status === 429) seen.refused += 1;
      await Bun.sleep(25);
    }
  };
  const asking = Array.from({ length: LIMITED_CALLERS }, ask);
  return async () => {
    mayEnd = true;
    await Promise.all(asking);
    return seen.admitted;
  };
};

const issueKey = async (fleet: ChaosFleet, perMinute: number) =>
  (await fleet.running.issueKey({ plan: 'enterprise', limits: { perMinute, perDay: perMinute } })).key;

const breakAll = async (fleet: ChaosFleet, seed: number) => {
  const random = createSeeded(seed);
  const schedule = scheduleOf(fleet, random, TIMES);
  const key = await issueKey(fleet, 1_000_000_000);
  const [limited, after] = [await issueKey(fleet, LIMIT), await issueKey(fleet, LIMIT)];
  let isOver = false;
  const continues = (sent: number) => !isOver || sent < REQUESTS;
  const callers = startChaosCallers({
    origin: fleet.origin,
    key,
    random: createSeeded(seed + 1),
    callers: CALLERS,
    pauseMs: PAUSE_MS,
    continues,
  });
  const endLimited = startLimited(fleet.origin, limited);
  let admitted: number | undefined;
  let wasRedisAway = false;
  for (const { what, isOfRedis, happens } of schedule) {
    if (isOfRedis && admitted === undefined) {
      admitted = await endLimited();
      wasRedisAway = (await fleet.redisOutages()).count > 0;
    }
    const { sent } = callers.seen;
    await waitFor('callers send requests', () => callers.seen.sent > sent + REQUESTS / (2 * schedule.length));
    console.log(what);
    await happens(fleet, random);
  }
  isOver = true;
  await callers.ended();
  const before = await waitFor('every instance has its Redis back', fleet.redisOutages, ({ areOver }) => areOver);
  const admittedAfter = await startLimited(fleet.origin, after)();
  return {
    callers,
    schedule,
    limits: { admitted: admitted ?? 0, wasRedisAway },
    limitsAfter: { admitted: admittedAfter, wasRedisAway: (await fleet.redisOutages()).count > before.count },
  };
};

type Broken = Awaited<ReturnType<typeof breakAll>>;

const expectStoredOnce = async ({ running }: ChaosFleet, { created, ordered }: Broken['callers']) => {
  const unnumbered = 'SELECT 1 FROM events WHERE sequence IS NULL';
  const countUnnumbered = () => readPostgres(running.url, async (rows) => (await rows(unnumbered)).length);
  await waitFor('all events are numbered', countUnnumbered, (count) => count === 0);
  const stored = await readPostgres(running.url, async (rows) => ({
    pets: await rows(`SELECT data::jsonb -> 'object' ->> 'name' AS name, pet_id AS id FROM events
      WHERE type = 'pet.created' ORDER BY pet_id`),
    orders: await rows('SELECT id FROM orders ORDER BY id'),
    delivered: await rows("SELECT id FROM events WHERE type = 'order.delivered'"),
  }));
  const acknowledged = [...created].map(([name, id]) => ({ name, id })).sort((one, other) => one.id - other.id);
  expect(stored.pets).toEqual(acknowledged);
  expect(stored.orders.map(({ id }) => id)).toEqual(ordered.toSorted((one, other) => one - other));
  return { deliveries: stored.delivered, pets: acknowledged.length };
};

/** While Redis is down, each instance counts requests on its own, so all instances together may exceed the limit. */
const showAdmitted = ({ admitted, wasRedisAway }: Broken['limits']): string => {
  if (!wasRedisAway) expect(admitted).toBeLessThanOrEqual(LIMIT);
  return `${admitted} of ${LIMIT} admitted${wasRedisAway ? ', Redis down meanwhile' : ''}`;
};

export const proveChaos = (place: Place, sentence: string, isSkipped: boolean) =>
  describe.skipIf(isSkipped)(`four instances ${place}`, () => {
    let fleet: ChaosFleet;
    let receiver: Receiver;
    beforeAll(async () => {
      receiver = startReceiver();
      fleet = await startChaosFleet(place, INSTANCES);
    });
    afterAll(async () => {
      await fleet?.stop();
      await receiver?.down();
    });

    proof(sentence, async ({ figure }) => {
      const seed = seedOfRun();
      console.log(`PROVE_SEED=${seed}`);
      figure(`seed ${seed}`);
      const hook = { url: receiver.url('/hook'), events: ['order.delivered'] };
      const { body } = (await fleet.running.instances[0]?.call('POST', '/v1/webhooks', { body: hook })) ?? {};
      receiver.secrets.set('/hook', body.secret);
      const { callers, schedule, limits, limitsAfter } = await breakAll(fleet, seed);
      const { sent, again, longestMs, words } = callers.seen;
      figure(`${schedule.length} faults, ${sent} requests, ${again} of them retried`);
      figure(`longest wait ${Math.round(longestMs)} ms`);
      expect([...words].filter((word) => ![...WORDS, ...CONFLICTS].includes(word))).toEqual([]);
      expect(fleet.log()).not.toContain('"status":500');
      const { deliveries, pets } = await expectStoredOnce(fleet, callers);
      figure(`${pets} pets and ${callers.ordered.length} orders acknowledged: all stored, each once`);
      figure(`${showAdmitted(limits)}; ${showAdmitted(limitsAfter)} afterwards`);
      const arrived = () => new Set(receiver.arrived.filter(({ isAccepted }) => isAccepted).map(({ id }) => id));
      const missing = () => deliveries.filter(({ id }) => !arrived().has(id)).length;
      await waitFor('every event is delivered', missing, (count) => count === 0);
      expect(receiver.arrived.filter(({ isValid }) => !isValid)).toEqual([]);
      figure(`${deliveries.length} webhook events delivered, ${receiver.arrived.length} attempts`);
      await fleet.undistribute();
      const { found, blind } = await askInvariants(fleet.running.url);
      expect(found).toEqual({});
      expect(blind).toEqual([]);
    });
  });
