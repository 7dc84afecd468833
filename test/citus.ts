import { once } from 'node:events';
import { startCitus } from './servers/citus.ts';

const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
const { url, remove } = await startCitus();
console.log(`TEST_CITUS_URL=${url}`);
console.log('Press Ctrl-C to stop the servers and delete their data.');
await stopped;
await remove();
process.exit();
