import { openPostgresBackend } from '../../src/compose/backend.postgres.ts';
import { composeWebhooks } from '../../src/compose/webhooks.ts';
import { startJobs } from '../../src/process/scheduler.ts';
import { createCallers, type Instance } from './callers.ts';
import { createReceivers } from './receivers.ts';
import { createServer } from './server.ts';
import type { Owner } from './scheduler.ts';
import type { Simulation } from './simulation.ts';
import { lookAt } from './stored.ts';
import { calmDown, createLog, type Faults, finish, METRICS, type Seen, storm } from './world.ts';

const INSTANCES = 3;
const REQUESTS = 20;
const MOST_GAP_MS = 1200;
/** Longer than an instance sends to an endpoint without having asked again for its lease. */
const EXCUSED_MS = 45_000;
/** By so much the clock of an instance may differ from the server's, as it knows it. */
const TOLERANCE_MS = 1500;

type Member = Instance & { stop(): Promise<void> };

/** Instances that share a server: their leases, the numbers of events after the commit, and the senders of webhooks. */
export const runFleetWorld = async (simulation: Simulation, template: Buffer): Promise<Seen> => {
  const { scheduler, seeded, between, randomText } = simulation;
  const server = createServer(simulation, template, TOLERANCE_MS);
  const look = lookAt(server.file);
  const starting = new Set<Owner>();
  let members: Member[] = [];
  const log = createLog(simulation);
  let starts = 0;

  const someone = (): Member | undefined => seeded.one(members);
  const callers = createCallers(simulation, { pick: someone, acknowledged: () => undefined });
  const receivers = createReceivers(simulation, {
    deliveryOf: look.deliveryOf,
    clock: server.clock,
    toleranceMs: TOLERANCE_MS,
    isExcused: ({ disturbedAt }) => scheduler.now() - disturbedAt < EXCUSED_MS,
  });

  const open = async (owner: Owner): Promise<void> => {
    const backend = await openPostgresBackend(
      '',
      { environment: 'production', randomText, log, metrics: METRICS, timeoutMs: 5000, countsTogether: true },
      async ({ bind }) => server.connect(bind, owner),
    );
    const send = receivers.sendBy(owner);
    const dispatcher = composeWebhooks({ ...backend, send, random: Math.random, log, metrics: METRICS });
    backend.arrivals.subscribeToAll(dispatcher.wake);
    const wake = { name: 'send-webhooks', everyMs: 1000, run: async () => dispatcher.wake() };
    const stopJobs = startJobs([...backend.jobs, wake], log);
    members.push({
      owner,
      database: backend.database,
      async stop() {
        await Promise.all([stopJobs(), dispatcher.stop()]);
        await backend.close();
      },
    });
  };

  const start = (): void => {
    starts += 1;
    const owner = scheduler.createOwner(`instance ${starts}`, between(-30_000, 30_000));
    starting.add(owner);
    const begin = async (): Promise<void> => {
      // One that does not find the server is started again.
      await open(owner).catch(start);
      starting.delete(owner);
    };
    scheduler.after(between(1, 1500), 'a start', () => void begin(), owner);
  };

  const leave = (owner: Owner): void => {
    members = members.filter((member) => member.owner !== owner);
    scheduler.end(owner);
    receivers.forget(owner);
  };

  const die = (dead: Member | undefined): void => {
    if (!dead || dead.owner.isGone) return;
    leave(dead.owner);
    start();
  };

  const stop = (stopped: Member | undefined): void => {
    if (stopped) scheduler.after(0, 'a stop', () => void stopped.stop().then(() => die(stopped)), stopped.owner);
  };

  const faults: Faults = {
    kill: { share: 4, act: () => die(someone()) },
    stop: { share: 2, act: () => stop(someone()) },
    'instance held up': {
      share: 3,
      act() {
        const until = scheduler.now() + between(10, 40_000);
        const owner = someone()?.owner;
        if (owner) Object.assign(owner, { frozenUntil: until, disturbedAt: until });
      },
    },
    'clock set': {
      share: 2,
      act() {
        const owner = someone()?.owner;
        if (owner) owner.aheadMs += between(-3_600_000, 3_600_000);
      },
    },
    'server away': { share: 2, act: () => server.goAway(between(100, 4000)) },
    'receivers change': { share: 5, act: receivers.changeMood },
  };

  for (let count = 0; count < INSTANCES; count += 1) start();
  await storm(simulation, { faults, mostGapMs: MOST_GAP_MS, callers, receivers, requests: REQUESTS });
  server.calm();
  // One is left: what was said before hours are passed over is not to be taken for news by another.
  const [left] = [...members.map(({ owner }) => owner), ...starting];
  for (const { owner } of members.filter(({ owner }) => owner !== left)) leave(owner);
  for (const owner of starting) if (owner !== left) scheduler.end(owner);
  if (left) left.frozenUntil = scheduler.now();
  receivers.calm(0);
  const isWhole = () => members.length > 0 && look.unnumbered() === 0;
  await calmDown(simulation, { look: () => look, clock: server.clock, isWhole, idleMs: () => 0 });
  const seen = finish({ simulation, look, callers, receivers });
  server.file.close();
  return seen;
};
