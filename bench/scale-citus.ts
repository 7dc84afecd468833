import { createDistributed, readCitusNodes } from '../test/citus-database.ts';
import { lacksCitus, startCitus } from '../test/servers/citus.ts';
import { query } from '../test/servers/databases.ts';
import { waitFor } from '../test/wait-for.ts';
import { answerAtMost, createPet, type Fleet, type ScaleSize, send, withFleet } from './fleet.ts';
import type { Answer } from './questions.ts';

const SHARDS = 8;
const INSTANCES = 3;
const CREATES = 180;
const SETTLE_MS = 15_000;
/** How long to wait after the last delivery for a second delivery of the same event, in ms. */
const REPEAT_MS = 5000;

/** Counts only statements that the coordinator sent to shards: a shard's table name ends in a six-digit number. */
const COUNT = `SELECT coalesce(sum(calls), 0)::int AS count FROM pg_stat_statements
  WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND query ~ '_[0-9]{6}'`;

const countOnWorkers = async (workers: readonly string[]): Promise<number> => {
  let all = 0;
  for (const worker of workers) all += (await query(worker, COUNT))[0].count;
  return all;
};

const countIdle = async (workers: readonly string[], seconds: number): Promise<number> => {
  await Bun.sleep(SETTLE_MS);
  const [before, from] = [await countOnWorkers(workers), performance.now()];
  await Bun.sleep(1000 * seconds);
  const statements = (await countOnWorkers(workers)) - before;
  return statements / ((performance.now() - from) / 1000) / SHARDS;
};

const countRepeated = async (fleet: Fleet) => {
  const ids: string[] = [];
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ headers }) {
      ids.push(headers.get('webhook-id') ?? '');
      return new Response();
    },
  });
  try {
    await send(fleet, '/v1/webhooks', { url: `http://127.0.0.1:${receiver.port}/`, events: ['pet.created'] });
    for (let turn = 0; turn < CREATES; turn += 1) {
      await createPet({ ...fleet, instances: fleet.instances.slice(turn % INSTANCES) });
    }
    await waitFor('all deliveries', () => new Set(ids).size === CREATES);
    await Bun.sleep(REPEAT_MS);
    return ids.length - new Set(ids).size;
  } finally {
    await receiver.stop();
  }
};

/** Without Citus, these rows are left out. */
export const askCitus = async ({ idleSeconds }: ScaleSize, say: (text: string) => void): Promise<Answer[]> => {
  const reason = await lacksCitus();
  if (reason) {
    say(reason);
    return [];
  }
  const { coordinator, url, remove } = await startCitus();
  try {
    const nodes = await readCitusNodes(url);
    const createDatabase = () => createDistributed(nodes, 'scale', 'production', SHARDS);
    const workers = nodes.slice(1).map((node) => Object.assign(new URL(node), { pathname: '/scale' }).href);
    const measure = async (fleet: Fleet) => {
      // Citus also creates the extension on the workers.
      await query(fleet.url, 'CREATE EXTENSION pg_stat_statements');
      const idle = await countIdle(workers, idleSeconds);
      const repeated = await countRepeated(fleet);
      return [
        answerAtMost(
          `Citus: statements a second on each of ${SHARDS} shards, ${INSTANCES} idle instances`,
          [1],
          [idle],
        ),
        answerAtMost(
          `Citus: repeated deliveries of ${CREATES} creates through ${INSTANCES} instances`,
          [0],
          [repeated],
        ),
      ];
    };
    return await withFleet(coordinator, INSTANCES, measure, { createDatabase });
  } finally {
    await remove();
  }
};
