import { openPostgresBackend } from '../../src/compose/backend.postgres.ts';
import { composeWebhooks } from '../../src/compose/jobs.ts';
import { readConfig } from '../../src/config.ts';
import { startJobs } from '../../src/ops/scheduler.ts';
import { createCallers, type Instance } from './callers.ts';
import { createReceivers, type Receivers } from './receivers.ts';
import type { Owner } from './scheduler.ts';
import { createServer } from './server.ts';
import { CLAIMED_IN_TIME } from './server-rows.ts';
import type { Simulation } from './simulation.ts';
import { lookAt } from './stored.ts';
import { calmDown, createLog, type Faults, finish, METRICS, type Seen, storm } from './world.ts';

const INSTANCES = 3;
const REQUESTS = 20;
const MAX_GAP_MS = 1200;
const PRESUMPTUOUS = 0.5;
/**
 * After a pause, an instance may still act on its earlier decisions for this many ms. Claiming a delivery and
 * attempting it may take up to this long in total.
 */
const EXCUSED_MS = 45_000;
/** Maximum error in an instance's estimate of the server's clock, in ms: half of the longest round trip. */
const TOLERANCE_MS = 1500;

const CONFIG = readConfig({});

type Server = ReturnType<typeof createServer>;
type Member = Instance & { stop(): Promise<void> };

const createFleet = (simulation: Simulation, server: Server, receivers: () => Receivers) => {
  const { scheduler, between, chance, randomText } = simulation;
  const log = createLog(simulation);
  const starting = new Set<Owner>();
  let members: Member[] = [];
  let starts = 0;

  const open = async (owner: Owner): Promise<Member> => {
    const deps = { config: CONFIG, randomText, log, metrics: METRICS };
    const backend = await openPostgresBackend('', deps, async ({ bind }) => server.connect(bind));
    const send = receivers().sendBy(owner);
    const { clock: trustedNow } = backend;
    // Some instances wrongly believe that they are the leader, as a former leader might. Even then, no attempt may be
    // sent twice.
    const isPresumptuous = chance(PRESUMPTUOUS);
    const isLeader = () => isPresumptuous || backend.isLeader();
    const dispatcher = composeWebhooks({ ...backend, ...deps, isLeader, trustedNow, send, random: Math.random });
    const wake = { name: 'send-webhooks', everyMs: 1000, run: async () => dispatcher.wake() };
    const stopJobs = startJobs([...backend.jobs, wake], log);
    const stop = async (): Promise<void> => {
      await Promise.all([stopJobs(), dispatcher.stop()]);
      await backend.close();
    };
    return { owner, database: backend.database, stop };
  };

  const start = (): void => {
    starts += 1;
    const owner = scheduler.createOwner(`instance ${starts}`, between(-30_000, 30_000));
    starting.add(owner);
    const begin = async (): Promise<void> => {
      await open(owner).then((member) => members.push(member), start);
      starting.delete(owner);
    };
    scheduler.after(between(1, 1500), 'a start', () => void begin(), owner);
  };

  const leave = (owner: Owner): void => {
    members = members.filter((member) => member.owner !== owner);
    starting.delete(owner);
    scheduler.end(owner);
    receivers().forget(owner);
  };

  const die = (dead: Owner): void => {
    if (dead.isGone) return;
    leave(dead);
    start();
  };

  return {
    members: (): readonly Member[] => members,
    start,
    die,
    stop({ owner, stop }: Member): void {
      if (owner.disturbedAt === Number.POSITIVE_INFINITY) return;
      // Exempts the stopping instance from the checks, because the instance no longer waits for responses. Some
      // responses may still arrive.
      owner.disturbedAt = Number.POSITIVE_INFINITY;
      scheduler.after(0, 'a stop', () => void stop().then(() => die(owner)), owner);
    },
    holdUp(owner: Owner, ms: number): void {
      const until = scheduler.now() + ms;
      Object.assign(owner, { frozenUntil: until, disturbedAt: Math.max(until, owner.disturbedAt) });
    },
    /**
     * Before the simulation skips several hours, ends all instances except one. Otherwise, delayed messages would
     * arrive hours late.
     */
    leaveOne(): void {
      const [left, ...others] = [...members.map(({ owner }) => owner), ...starting];
      others.forEach(leave);
      if (left) left.frozenUntil = scheduler.now();
    },
  };
};

type Fleet = ReturnType<typeof createFleet>;

const faultsOf = (simulation: Simulation, server: Server, fleet: Fleet, receivers: Receivers): Faults => {
  const { seeded, between } = simulation;
  const toSomeone = (act: (member: Member) => void) => (): void => {
    const member = seeded.one(fleet.members());
    if (member) act(member);
  };
  const setClock = ({ owner }: Member): void => {
    owner.aheadMs += between(-3_600_000, 3_600_000);
  };
  return {
    kill: { share: 4, act: toSomeone(({ owner }) => fleet.die(owner)) },
    stop: { share: 2, act: toSomeone(fleet.stop) },
    'instance paused': { share: 3, act: toSomeone(({ owner }) => fleet.holdUp(owner, between(10, 40_000))) },
    'clock changed': { share: 2, act: toSomeone(setClock) },
    'database unavailable': { share: 2, act: () => server.goAway(between(100, 4000)) },
    'receivers change behaviour': { share: 5, act: receivers.changeMood },
  };
};

export const runFleetWorld = async (simulation: Simulation, template: Buffer): Promise<Seen> => {
  const { scheduler, seeded } = simulation;
  const server = createServer(simulation, template, TOLERANCE_MS);
  const look = lookAt(server.file, CLAIMED_IN_TIME);
  const fleet = createFleet(simulation, server, () => receivers);
  const callers = createCallers(simulation, { pick: () => seeded.one(fleet.members()), acknowledged: () => undefined });
  const receivers = createReceivers(simulation, {
    deliveryOf: look.deliveryOf,
    clock: server.clock,
    toleranceMs: TOLERANCE_MS,
    isExcused: ({ disturbedAt }) => scheduler.now() - disturbedAt < EXCUSED_MS,
  });

  for (let count = 0; count < INSTANCES; count += 1) fleet.start();
  const faults = faultsOf(simulation, server, fleet, receivers);
  await storm(simulation, { faults, maxGapMs: MAX_GAP_MS, callers, requests: REQUESTS });
  server.calm();
  receivers.calm(0);
  fleet.leaveOne();
  await calmDown(simulation, {
    look: () => (fleet.members().length > 0 && look.unnumbered() === 0 ? look : undefined),
    clock: server.clock,
    idleMs: () => 0,
  });
  const seen = finish({ simulation, look, callers, receivers });
  server.file.close();
  return seen;
};
