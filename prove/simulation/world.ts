import type { Log } from '../../src/kernel/log.ts';
import { createMetrics } from '../../src/kernel/metrics.ts';
import type { Callers } from './callers.ts';
import type { Receivers } from './receivers.ts';
import { SIMULATED, type Simulation } from './simulation.ts';
import type { Look } from './stored.ts';

const IGNORED = () => undefined;

export const createLog = ({ violated }: Simulation): Log => ({
  info: IGNORED,
  warn: IGNORED,
  error: (event, fields) => {
    const logged = JSON.stringify(fields);
    if (!logged.includes(SIMULATED)) violated(`it logs ${event}: ${logged}`);
  },
  flush: async () => undefined,
});
export const METRICS = createMetrics();

/** How long faults are injected, in ms. After that, all pending work must complete within `MAX_STEPS`. */
const STORM_MS = 8000;
const MAX_STEPS = 20_000;
const QUIET_MS = 2000;
const SHORTEST_PASS_MS = 100;
const POLL_EVERY = 4;

export type Faults = Record<string, { share: number; act(): void }>;

type Deps = { faults: Faults; maxGapMs: number; callers: Callers; requests: number };

export const storm = async (simulation: Simulation, { faults, maxGapMs, callers, requests }: Deps): Promise<void> => {
  const { scheduler, between, seeded, count, firstViolation } = simulation;
  const drawn = Object.entries(faults).flatMap(([name, { share, act }]) => Array(share).fill({ name, act }));
  callers.start(requests, STORM_MS / requests);
  for (let at = between(0, maxGapMs); at < STORM_MS; at += between(0, maxGapMs)) {
    const { name, act } = seeded.one(drawn);
    const happen = (): void => {
      count(name);
      act();
    };
    scheduler.at(at, name, happen, scheduler.outside);
  }
  while (scheduler.now() < STORM_MS && firstViolation() === undefined) await scheduler.step();
};

type Rest = {
  /**
   * Returns `undefined` while no process is ready, and while any event lacks a sequence number, because the remaining
   * work is then unknown.
   */
  look(): Look | undefined;
  clock(): number;
  /** Time in ms since the last webhook attempt ended. 0 during an attempt, and in worlds without this measurement. */
  idleMs(): number;
};

export const calmDown = async (simulation: Simulation, { look, clock, idleMs }: Rest): Promise<void> => {
  const { scheduler, firstViolation, violated } = simulation;
  const last = scheduler.steps() + MAX_STEPS;
  for (let doneSince = scheduler.now(); firstViolation() === undefined; await scheduler.step()) {
    if (scheduler.steps() > last) return violated('it does not become idle');
    if (scheduler.steps() % POLL_EVERY !== 0) continue;
    const seen = look();
    const due = seen ? seen.nextDue() : clock();
    if (due !== undefined) doneSince = scheduler.now();
    else if (scheduler.now() - doneSince > QUIET_MS) return;
    if (!seen || due === undefined) continue;
    if (due > clock() + SHORTEST_PASS_MS) scheduler.pass(due - clock());
    // If no attempt is running although work is due, the endpoint is paused because it keeps failing. Skips part of the
    // pause.
    else if (idleMs() > QUIET_MS) scheduler.pass(QUIET_MS);
  }
};

type End = { simulation: Simulation; look: Look | undefined; callers: Callers; receivers: Receivers };

export type Seen = { attempts: number; acknowledged: number };

export const finish = ({ simulation: { expect, firstViolation }, look, callers, receivers }: End): Seen => {
  const seen = { attempts: receivers.attempts(), acknowledged: callers.acknowledgedCount() };
  if (!look || firstViolation() !== undefined) return seen;
  const events = look.events();
  const states = look.webhookStates();
  callers.finish(events);
  receivers.finish(
    events.map(({ id }) => id),
    states,
  );
  const switchedOff = new Set(events.filter(({ type }) => type === 'webhook.disabled').map(({ objectId }) => objectId));
  for (const [id, state] of states) {
    expect(switchedOff.has(id) === (state === 'disabled'), `${id} is ${state}, but its events differ`);
  }
  const { rows, counted } = look.pets();
  expect(rows === counted, `there are ${rows} pets, but ${counted} were counted`);
  return seen;
};
