import type { Log } from '../../src/kernel/log.ts';
import { createMetrics } from '../../src/kernel/metrics.ts';
import type { Callers } from './callers.ts';
import type { Receivers } from './receivers.ts';
import { SIMULATED, type Simulation } from './simulation.ts';
import type { Look } from './stored.ts';

const IGNORED = () => undefined;

/** What the service logs. An error that the run has not made itself is one of the service, or of the run. */
export const createLog = ({ violated }: Simulation): Log => ({
  info: IGNORED,
  warn: IGNORED,
  error: (event, fields) => {
    const told = JSON.stringify(fields);
    if (!told.includes(SIMULATED)) violated(`it logs ${event}: ${told}`);
  },
  flush: async () => undefined,
});
export const METRICS = createMetrics();

/** How long faults come, and how long the work after them may last at most. */
const STORM_MS = 8000;
const MOST_STEPS = 20_000;
const QUIET_MS = 2000;
const SHORTEST_PASS_MS = 100;
/** So many steps from one look at what is left to the next. */
const LOOK_EVERY = 4;

/** What can be done to a world, and how often compared with the others. */
export type Faults = Record<string, { share: number; act(): void }>;

type Deps = { faults: Faults; mostGapMs: number; callers: Callers; requests: number };

/** Everything that goes wrong, at instants drawn from the seed. */
export const storm = async (simulation: Simulation, { faults, mostGapMs, callers, requests }: Deps): Promise<void> => {
  const { scheduler, between, seeded, count, firstViolation } = simulation;
  const drawn = Object.entries(faults).flatMap(([name, { share, act }]) => Array(share).fill({ name, act }));
  callers.start(requests, STORM_MS / requests);
  for (let at = between(0, mostGapMs); at < STORM_MS; at += between(0, mostGapMs)) {
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
  /** What is stored; undefined while nobody could do anything about it. */
  look(): Look | undefined;
  clock(): number;
  /** For how long nothing was under way to receivers; 0 where that says nothing. */
  idleMs(): number;
};

/** Nothing goes wrong any more: all that is due is done, and the hours between are passed over. */
export const calmDown = async (simulation: Simulation, { look, clock, idleMs }: Rest): Promise<void> => {
  const { scheduler, firstViolation, violated } = simulation;
  const last = scheduler.steps() + MOST_STEPS;
  for (let doneSince = scheduler.now(); firstViolation() === undefined; await scheduler.step()) {
    if (scheduler.steps() > last) return violated('it does not come to rest');
    if (scheduler.steps() % LOOK_EVERY !== 0) continue;
    const seen = look();
    const due = seen ? seen.nextDue() : clock();
    if (due !== undefined) doneSince = scheduler.now();
    // What nobody waits for may still be noticed by a job.
    else if (scheduler.now() - doneSince > QUIET_MS) return;
    if (!seen || due === undefined) continue;
    if (due > clock() + SHORTEST_PASS_MS) scheduler.pass(due - clock());
    // An endpoint that fails again and again is left alone for a while.
    else if (idleMs() > QUIET_MS) scheduler.pass(QUIET_MS);
  }
};

type End = { simulation: Simulation; look: Look | undefined; callers: Callers; receivers: Receivers };

/** How much was done in a run. */
export type Seen = { attempts: number; acknowledged: number };

/** What must hold of all that is stored once everything is done. */
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
    expect(switchedOff.has(id) === (state === 'disabled'), `${id} is ${state}, and its events say otherwise`);
  }
  const { rows, counted } = look.animals();
  expect(rows === counted, `there are ${rows} animals, and ${counted} were counted`);
  return seen;
};
