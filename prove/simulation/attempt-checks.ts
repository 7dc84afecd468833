import type { Owner } from './scheduler.ts';
import type { Simulation } from './simulation.ts';

/** Delays between a delivery's attempts, in seconds. The service varies each delay by up to a fifth. */
const WAITS_S = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const JITTER = 0.2;
const LONGEST_ASKED_MS = 86_400_000;

export const MAX_ATTEMPTS = WAITS_S.length + 1;

export type DeliveryRow = {
  state: string;
  attempt: number;
  next_attempt_at: number | null;
  attempted_at: number | null;
  webhook_state: string;
  /** True if the delivery's current claim was committed before the webhook was disabled. */
  was_claimed_in_time: boolean;
};

export type Attempt = { by: Owner; url: string; key: string };

export type CheckDeps = {
  /**
   * Returns the current time on the clock that decides when attempts are due. An instance's estimate of that time may
   * be wrong by up to `toleranceMs`.
   */
  clock(by: Owner): number;
  toleranceMs: number;
  /** True while an instance may still act on decisions that it made before a pause or a clock change. */
  isExcused(by: Owner): boolean;
};

export const createAttemptChecks = ({ expect }: Simulation, deps: CheckDeps) => {
  const checkWait = ({ attempt, next_attempt_at, attempted_at }: DeliveryRow, askedMs: number): void => {
    const waitMs = (WAITS_S[attempt - 1] ?? Number.NaN) * 1000;
    const waited = Number(next_attempt_at) - Number(attempted_at);
    const most = Math.max((1 + JITTER) * waitMs, Math.min(askedMs, LONGEST_ASKED_MS));
    const isDue = waited >= (1 - JITTER) * waitMs - 1 && waited <= most + 1;
    expect(isDue, `attempt ${attempt + 1} is due ${waited} ms after the previous one`);
  };

  const checkOthers = ({ by, key }: Attempt, underWay: ReadonlySet<Attempt>): void => {
    for (const other of underWay) {
      const isExcused = other.by !== by && (deps.isExcused(by) || deps.isExcused(other.by));
      expect(other.key !== key || isExcused, `${key} is sent twice at the same time`);
    }
  };

  return (attempt: Attempt, row: DeliveryRow | undefined, underWay: ReadonlySet<Attempt>, askedMs: number): void => {
    const { by, key } = attempt;
    checkOthers(attempt, underWay);
    expect(row !== undefined, `${key} was sent but not stored`);
    if (!row || deps.isExcused(by)) return;
    // No delivery may be claimed after its webhook was disabled. A delivery that was claimed earlier may still be sent:
    // if the webhook is disabled while the response to the claim is on its way, the instance cannot know that.
    const isEnabled = row.webhook_state === 'enabled';
    expect(isEnabled || row.was_claimed_in_time, `${key} is sent to an endpoint that is ${row.webhook_state}`);
    const expected = isEnabled ? 'pending' : 'failed';
    expect(row.state === expected, `${key} was sent after it was recorded as ${row.state}`);
    // Disabling a webhook clears the times of its next attempts, so the remaining checks are not possible.
    if (!isEnabled) return;
    const earlyMs = Number(row.next_attempt_at) - deps.clock(by);
    expect(earlyMs <= deps.toleranceMs, `${key} is sent ${earlyMs} ms before it is due`);
    if (row.attempt > 0) checkWait(row, askedMs);
  };
};

type EventBody = { sequence: number; data: { object: { id: number } } };

export const createOrderCheck = ({ expect }: Simulation, { isExcused }: CheckDeps) => {
  const seen = new Set<string>();
  const last = new Map<string, number>();
  return ({ by, url, key }: Attempt, body: string): void => {
    if (seen.has(key)) return;
    seen.add(key);
    const { sequence, data }: EventBody = JSON.parse(body);
    const pet = `pet ${data.object.id} at ${url}`;
    const before = last.get(pet) ?? 0;
    last.set(pet, Math.max(before, sequence));
    expect(before < sequence || isExcused(by), `event ${sequence} of ${pet} is sent after ${before}`);
  };
};
