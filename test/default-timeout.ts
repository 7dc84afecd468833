import { setDefaultTimeout } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { TEST_TIMEOUT_MS } from './patience.ts';

/** The runtime hides its own flags from the program. An explicit timeout wins. */
const COMMAND_LINE = '/proc/self/cmdline';
const isGiven = existsSync(COMMAND_LINE) && readFileSync(COMMAND_LINE, 'utf8').includes('\0--timeout');

// Applies to the first file of a run. `npm test` passes the timeout for all its files.
if (!isGiven) setDefaultTimeout(TEST_TIMEOUT_MS);
