import type { Send } from '../../src/delivery/send.ts';
import type { AttemptResult } from '../../src/resources/webhooks/delivery.ts';
import {
  type Attempt,
  type CheckDeps,
  createAttemptChecks,
  createOrderCheck,
  type DeliveryRow,
  MAX_ATTEMPTS,
} from './attempt-checks.ts';
import type { Owner } from './scheduler.ts';
import type { Simulation } from './simulation.ts';

const TIMEOUT_MS = 15_000;

export const ENDPOINTS = [
  { webhookId: 'wh_1', url: 'http://127.0.0.1:1001/one' },
  { webhookId: 'wh_2', url: 'http://127.0.0.1:1001/two' },
  { webhookId: 'wh_3', url: 'http://127.0.0.1:1002/three' },
] as const;

/** How often a webhook receiver misbehaves in each of these ways, as a fraction of all requests. */
type Mood = { fails: number; loses: number; isSlow: number; isGone: number };
const CALM: Mood = { fails: 0, loses: 0, isSlow: 0, isGone: 0 };
const MOODS: readonly Mood[] = [
  CALM,
  { ...CALM, isSlow: 0.5 },
  { ...CALM, fails: 0.5, isSlow: 0.1 },
  { ...CALM, loses: 0.4 },
  { ...CALM, fails: 1 },
  { fails: 0.2, loses: 0.2, isSlow: 0.2, isGone: 0.02 },
];

type Deps = CheckDeps & { deliveryOf(webhookId: string, eventId: string): DeliveryRow | undefined };

const NOTHING = {
  isDelivered: false,
  isGone: false,
  responseStatus: null,
  responseBody: null,
  retryAfterMs: undefined,
};

const answer = ({ chance, between }: Simulation, mood: Mood): Partial<AttemptResult> => {
  if (chance(mood.isGone)) return { responseStatus: 410, isGone: true };
  if (!chance(mood.fails)) return { responseStatus: 204, isDelivered: true };
  return chance(0.2) ? { responseStatus: 429, retryAfterMs: between(1, 100_000) } : { responseStatus: 500 };
};

export const createReceivers = (simulation: Simulation, { deliveryOf, ...deps }: Deps) => {
  const { scheduler, seeded, chance, between, latencyMs, count, expect } = simulation;
  const check = createAttemptChecks(simulation, deps);
  const checkOrder = createOrderCheck(simulation, deps);
  const moods = new Map<string, Mood>();
  const underWay = new Set<Attempt>();
  const accepted = new Set<string>();
  const askedMs = new Map<string, number>();
  let attempts = 0;
  let lastAt = 0;

  const travel = ({ by, url, key }: Attempt, end: (result: Partial<AttemptResult>, ms: number) => void): void => {
    const mood = moods.get(url) ?? CALM;
    const [isRequestLost, isReplyLost] = [chance(mood.loses / 2), chance(mood.loses / 2)];
    const [thereMs, backMs] = [latencyMs(), chance(mood.isSlow) ? between(1000, TIMEOUT_MS - 1000) : latencyMs()];
    const reply = (): void => {
      const result = answer(simulation, mood);
      if (result.isDelivered) accepted.add(key);
      else count(`webhook answered ${result.responseStatus}`);
      if (isReplyLost) count('webhook response lost');
      else scheduler.after(backMs, 'an answer', () => end(result, thereMs + backMs), by);
    };
    if (isRequestLost) count('webhook request lost');
    else scheduler.after(thereMs, 'a webhook', reply, scheduler.outside);
    if (isRequestLost || isReplyLost) scheduler.after(TIMEOUT_MS, 'no answer', () => end({}, TIMEOUT_MS), by);
  };

  const sendBy =
    (by: Owner): Send =>
    ({ url, headers, body }) => {
      const { webhookId } = ENDPOINTS.find((endpoint) => endpoint.url === url) ?? { webhookId: '' };
      const eventId = headers['webhook-id'] ?? '';
      const attempt = { by, url, key: `${webhookId} ${eventId}` };
      check(attempt, deliveryOf(webhookId, eventId), underWay, askedMs.get(attempt.key) ?? 0);
      checkOrder(attempt, body);
      underWay.add(attempt);
      attempts += 1;
      return new Promise((resolve) => {
        travel(attempt, (result, ms) => {
          underWay.delete(attempt);
          lastAt = scheduler.now();
          // The process may end before it stores the newest `Retry-After`. The check therefore allows delays up to
          // the longest delay that the receiver has requested.
          askedMs.set(attempt.key, Math.max(askedMs.get(attempt.key) ?? 0, result.retryAfterMs ?? 0));
          resolve({ ...NOTHING, ...result, durationMs: Math.round(ms) });
        });
      });
    };

  return {
    sendBy,
    attempts: () => attempts,
    idleMs: () => (underWay.size > 0 ? 0 : scheduler.now() - lastAt),
    changeMood: (): void => void moods.set(seeded.one(ENDPOINTS)?.url ?? '', seeded.one(MOODS) ?? CALM),
    calm(shareOfDead: number): void {
      moods.clear();
      if (chance(shareOfDead)) moods.set(ENDPOINTS[1].url, { ...CALM, fails: 1 });
    },
    forget(by: Owner): void {
      for (const attempt of underWay) if (attempt.by === by) underWay.delete(attempt);
    },
    finish(eventIds: readonly string[], webhookStates: ReadonlyMap<string, string>): void {
      const enabled = ENDPOINTS.filter(({ webhookId }) => webhookStates.get(webhookId) === 'enabled');
      for (const { webhookId } of enabled) {
        for (const eventId of eventIds) {
          const key = `${webhookId} ${eventId}`;
          const row = deliveryOf(webhookId, eventId);
          const isGivenUp = row?.state === 'failed' && row.attempt === MAX_ATTEMPTS;
          expect(accepted.has(key) || isGivenUp, `${key} has never arrived, and is ${row?.state ?? 'not there'}`);
          expect(row?.state !== 'delivered' || accepted.has(key), `${key} is recorded as delivered but was not`);
        }
      }
    },
  };
};

export type Receivers = ReturnType<typeof createReceivers>;
