import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { makeRunDirectory } from './run-directory.ts';
import { startCitus } from './servers/citus.ts';

const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
const directory = makeRunDirectory();
// A run creates and drops hundreds of databases, which takes minutes longer on a disk than in memory.
process.env.TMPDIR = directory;
const { url, remove } = await startCitus();
console.log(`TEST_CITUS_URL=${url}`);
console.log('Press Ctrl-C to stop the servers and delete their data.');
await stopped;
await remove();
rmSync(directory, { recursive: true });
process.exit();
