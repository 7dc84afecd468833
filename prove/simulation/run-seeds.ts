import { Database } from 'bun:sqlite';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createSimulation } from './simulation.ts';
import { commandRuntime } from './runtime.ts';

const [directory = '', first = '1', count = '1', kind] = process.argv.slice(2);
const nanoseconds = Bun.nanoseconds;
const command = commandRuntime();
command(createSimulation(0));
const { runFileWorld } = await import('./file-world.ts');
const { runFleetWorld } = await import('./fleet-world.ts');
const { makeServerTemplate } = await import('./server.ts');
const { openSqlite } = await import('../../src/database/sqlite.ts');
const { fillStore } = await import('./stored.ts');

mkdirSync(directory, { recursive: true });
const template = join(directory, 'template.db');
const made = openSqlite({ path: template, environment: 'production', bind: () => ({}) });
await made.close();
const file = new Database(template);
fillStore(file);
file.close();
const serverTemplate = makeServerTemplate();
let place = 0;
for (let seed = Number(first); seed < Number(first) + Number(count); seed += 1) {
  const simulation = createSimulation(seed);
  command(simulation);
  const t = nanoseconds(); const c=process.cpuUsage();
  if (kind === 'fleet') await runFleetWorld(simulation, serverTemplate);
  else await runFileWorld(simulation, { directory, template, places: () => (place += 1) });
  const d=process.cpuUsage(c);
  const v = simulation.firstViolation();
  console.log(seed, simulation.scheduler.steps(), simulation.scheduler.digest(), ((nanoseconds() - t) / 1e6).toFixed(1), ((d.user+d.system)/1000).toFixed(1), JSON.stringify(simulation.faults), v);
  if (v) { for (const l of simulation.scheduler.lastSteps()) console.log('   ', l); break; }
}
rmSync(directory, {recursive:true});
process.exit(0);
