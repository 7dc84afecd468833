import { Database } from 'bun:sqlite';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../check/root.ts';
import { commandRuntime } from './runtime.ts';
import { createSimulation } from './simulation.ts';
import { WEAKENINGS } from './weakenings.ts';

export type Asked = { directory: string; first: number; count: number; weakening?: string };
type Violation = { seed: number; sentence: string; lastSteps: readonly string[] };
export type Ran = {
  seeds: number;
  steps: number;
  attempts: number;
  acknowledged: number;
  processorSeconds: number;
  faults: Record<string, number>;
  digest: string;
  violation?: Violation;
};

const { directory, first, count, weakening }: Asked = JSON.parse(process.argv[2] ?? '');

const weaken = (name: string): void => {
  const found = WEAKENINGS.find((one) => one.name === name);
  if (!found) throw new Error(`there is no weakening called "${name}"`);
  const path = join(ROOT, found.file);
  const text = readFileSync(path, 'utf8');
  if (text.split(found.before).length !== 2) {
    throw new Error(
      `prove/simulation/weakenings.ts: the text that "${name}" replaces does not occur exactly once in ${found.file}`,
    );
  }
  Bun.plugin({
    name: 'weakening',
    setup(build) {
      const contents = text.replace(found.before, () => found.after);
      build.onLoad({ filter: new RegExp(`${RegExp.escape(path)}$`) }, () => ({ contents, loader: 'ts' }));
    },
  });
};
if (weakening !== undefined) weaken(weakening);

// Replaces timers, clocks and randomness. The imports that follow must come after this call; otherwise, the imported
// modules would use the real clock.
const command = commandRuntime();
command(createSimulation(0));
const { runFileWorld } = await import('./file-world.ts');
const { runFleetWorld } = await import('./fleet-world.ts');
const { makeServerTemplate } = await import('./server-rows.ts');
const { openSqlite } = await import('../../src/storage/sqlite/database.ts');
const { fillStore } = await import('./stored.ts');

const makeFileTemplate = async (): Promise<string> => {
  const path = join(directory, 'template.db');
  await openSqlite({ path, environment: 'production', bind: () => ({}) }).close();
  const file = new Database(path);
  fillStore(file);
  file.close();
  return path;
};

const place = { directory, template: await makeFileTemplate() };
const server = makeServerTemplate();
let violated = (_: string): void => undefined;
process.on('unhandledRejection', (error) => violated(`unhandled error: ${error}`));
const ran: Ran = { seeds: 0, steps: 0, attempts: 0, acknowledged: 0, processorSeconds: 0, faults: {}, digest: '' };

for (let seed = first; seed < first + count && !ran.violation; seed += 1) {
  const simulation = createSimulation(seed);
  const { scheduler, faults } = simulation;
  ({ violated } = simulation);
  command(simulation);
  const seen = seed % 2 === 0 ? await runFileWorld(simulation, place) : await runFleetWorld(simulation, server);
  ran.seeds += 1;
  ran.steps += scheduler.steps();
  ran.attempts += seen.attempts;
  ran.acknowledged += seen.acknowledged;
  for (const [fault, times] of Object.entries(faults)) ran.faults[fault] = (ran.faults[fault] ?? 0) + times;
  ran.digest = Bun.hash(ran.digest + scheduler.digest()).toString(16);
  const sentence = simulation.firstViolation();
  if (sentence !== undefined) ran.violation = { seed, sentence, lastSteps: scheduler.lastSteps() };
}
const { user, system } = process.cpuUsage();
ran.processorSeconds = (user + system) / 1e6;
process.stdout.write(`${JSON.stringify(ran)}\n`);
process.exit(0);
