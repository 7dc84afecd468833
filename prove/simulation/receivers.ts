import type { AttemptResult } from '../../src/webhooks/delivery.ts';
import type { Send } from '../../src/webhooks/send.ts';
import type { Owner } from './scheduler.ts';
import type { Simulation } from './simulation.ts';

const TIMEOUT_MS = 15_000;
/** As promised: five seconds after the first failure, and so on; each a fifth sooner or later. */
const WAITS_S = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const JITTER = 0.2;
const LONGEST_ASKED_MS = 86_400_000;

/** What is stored of one event's way to one endpoint. */
export type DeliveryRow = {
  state: string;
  attempt: number;
  next_attempt_at: number | null;
  attempted_at: number | null;
  webhook_state: string;
};

export const ENDPOINTS = [
  { webhookId: 'wh_1', url: 'http://127.0.0.1:1001/one' },
  { webhookId: 'wh_2', url: 'http://127.0.0.1:1001/two' },
  { webhookId: 'wh_3', url: 'http://127.0.0.1:1002/three' },
] as const;

/** How an endpoint answers for a while; the numbers are shares. */
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

type Deps = {
  deliveryOf(webhookId: string, eventId: string): DeliveryRow | undefined;
  /** By the clock of whoever stores deliveries, and by how much those who send may know it wrongly. */
  clock(by: Owner): number;
  toleranceMs: number;
  /** After it was held up, or its clock was set, an instance may do what it had decided before. */
  isExcused(by: Owner): boolean;
};

type Attempt = { by: Owner; url: string; key: string };

const nothing = { isDelivered: false, isGone: false, responseBody: null, retryAfterMs: undefined };

/** The receivers of webhooks and the network before them, and what they must never see. */
export const createReceivers = (simulation: Simulation, deps: Deps) => {
  const { scheduler, seeded, chance, between, latencyMs, count, expect } = simulation;
  const moods = new Map<string, Mood>(ENDPOINTS.map(({ url }) => [url, CALM]));
  const underWay = new Set<Attempt>();
  const accepted = new Set<string>();
  const askedMs = new Map<string, number>();
  let attempts = 0;
  let lastAt = 0;

  const checkWait = (key: string, { attempt, next_attempt_at, attempted_at }: DeliveryRow): void => {
    const waitMs = (WAITS_S[attempt - 1] ?? Number.NaN) * 1000;
    const waited = Number(next_attempt_at) - Number(attempted_at);
    const asked = Math.min(askedMs.get(key) ?? 0, LONGEST_ASKED_MS);
    const [least, most] = [(1 - JITTER) * waitMs - 1, Math.max((1 + JITTER) * waitMs, asked) + 1];
    expect(waited >= least && waited <= most, `attempt ${attempt + 1} is due ${waited} ms after the one before`);
  };

  const check = ({ by, key, url }: Attempt, row: DeliveryRow | undefined): void => {
    expect(row !== undefined, `${key} is sent and not stored`);
    const { host } = new URL(url);
    for (const other of underWay) {
      expect(other.key !== key || other.by !== by, `${key} is sent twice at the same time`);
      const isShared = other.by !== by && new URL(other.url).host === host;
      const isExcused = deps.isExcused(by) || deps.isExcused(other.by);
      expect(!isShared || isExcused, `${by.name} and ${other.by.name} send to ${host} at the same time`);
    }
    if (!row || deps.isExcused(by)) return;
    expect(row.webhook_state === 'enabled', `${key} is sent to an endpoint that is ${row.webhook_state}`);
    expect(row.state === 'pending', `${key} is sent after it was recorded as ${row.state}`);
    const early = Number(row.next_attempt_at) - deps.clock(by);
    expect(early <= deps.toleranceMs, `${key} is sent ${early} ms before it is due`);
    if (row.attempt > 0) checkWait(key, row);
  };

  const answer = (mood: Mood): Partial<AttemptResult> & { responseStatus: number } => {
    if (chance(mood.isGone)) return { responseStatus: 410, isGone: true };
    if (!chance(mood.fails)) return { responseStatus: 204, isDelivered: true };
    return chance(0.2) ? { responseStatus: 429, retryAfterMs: between(1, 100_000) } : { responseStatus: 500 };
  };

  const sendBy =
    (by: Owner): Send =>
    ({ url, headers }) => {
      const { webhookId } = ENDPOINTS.find((endpoint) => endpoint.url === url) ?? { webhookId: '' };
      const key = `${webhookId} ${headers['webhook-id']}`;
      const attempt = { by, url, key };
      check(attempt, deps.deliveryOf(webhookId, headers['webhook-id'] ?? ''));
      underWay.add(attempt);
      attempts += 1;
      const mood = moods.get(url) ?? CALM;
      const [isRequestLost, isReplyLost] = [chance(mood.loses / 2), chance(mood.loses / 2)];
      const [thereMs, backMs] = [latencyMs(), chance(mood.isSlow) ? between(1000, TIMEOUT_MS - 1000) : latencyMs()];
      const { promise, resolve } = Promise.withResolvers<AttemptResult>();
      const end = (result: Partial<AttemptResult>, durationMs: number): void => {
        underWay.delete(attempt);
        lastAt = scheduler.now();
        askedMs.set(key, result.retryAfterMs ?? 0);
        resolve({ ...nothing, responseStatus: null, ...result, durationMs: Math.round(durationMs) });
      };
      const reply = (): void => {
        const result = answer(mood);
        if (result.isDelivered) accepted.add(key);
        else count(`answer ${result.responseStatus}`);
        if (isReplyLost) count('answer lost');
        else scheduler.after(backMs, 'an answer', () => end(result, thereMs + backMs), by);
      };
      if (isRequestLost) count('webhook lost');
      else scheduler.after(thereMs, 'a webhook', reply, scheduler.outside);
      if (isRequestLost || isReplyLost) scheduler.after(TIMEOUT_MS, 'no answer', () => end({}, TIMEOUT_MS), by);
      return promise;
    };

  return {
    sendBy,
    attempts: () => attempts,
    /** For how long nothing was under way. */
    idleMs: () => (underWay.size > 0 ? 0 : scheduler.now() - lastAt),
    changeMood: (): void => void moods.set(seeded.one(ENDPOINTS)?.url ?? '', seeded.one(MOODS) ?? CALM),
    /** From here on all answer well, but perhaps one that never does. */
    calm(shareOfDead: number): void {
      for (const { url } of ENDPOINTS) moods.set(url, CALM);
      if (chance(shareOfDead)) moods.set(ENDPOINTS[1].url, { ...CALM, fails: 1 });
    },
    /** What it had under way ends with it. */
    forget(by: Owner): void {
      for (const attempt of underWay) if (attempt.by === by) underWay.delete(attempt);
    },
    finish(events: readonly string[], webhookStates: ReadonlyMap<string, string>): void {
      for (const { webhookId } of ENDPOINTS) {
        if (webhookStates.get(webhookId) !== 'enabled') continue;
        for (const eventId of events) {
          const key = `${webhookId} ${eventId}`;
          const row = deps.deliveryOf(webhookId, eventId);
          const isGivenUp = row?.state === 'failed' && row.attempt === WAITS_S.length + 1;
          expect(accepted.has(key) || isGivenUp, `${key} has never arrived, and is ${row?.state ?? 'not there'}`);
          expect(row?.state !== 'delivered' || accepted.has(key), `${key} is recorded as delivered and was not`);
        }
      }
    },
  };
};

export type Receivers = ReturnType<typeof createReceivers>;
