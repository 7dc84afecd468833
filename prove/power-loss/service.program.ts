import { randomBytes } from 'node:crypto';
import { compose } from '../../src/compose/compose.ts';
import { readConfig } from '../../src/config.ts';
import { listen } from '../../src/http/server.ts';
import { createLog } from '../../src/ops/log.ts';
import { startJobs } from '../../src/ops/scheduler.ts';

const checkpointPages = Number(process.argv[2]);
const config = readConfig(process.env);
const log = createLog('silent', async () => undefined, Date.now);
const service = await compose(config, { randomBytes, log, checkpointPages });
const server = listen(service.app, { host: config.HOST, port: config.PORT });
const stopJobs = startJobs(service.jobs, log);
process.stdout.write(`${JSON.stringify({ api: `http://127.0.0.1:${server.port}/v1` })}\n`);

process.once('SIGTERM', async () => {
  service.drain();
  await server.stop(0);
  await stopJobs();
  await service.close();
  process.exit(0);
});
