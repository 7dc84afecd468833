import { existsSync, readFileSync } from 'node:fs';
import { TEST_TIMEOUT_MS } from './patience.ts';

/**
 * A `--timeout` flag on the command line takes precedence over the timeout that this file sets. Bun removes its own
 * flags from `process.argv`, but `/proc` shows them.
 */
const COMMAND_LINE = '/proc/self/cmdline';
const isGiven = existsSync(COMMAND_LINE) && readFileSync(COMMAND_LINE, 'utf8').includes('\0--timeout');

/**
 * Bun resets the default timeout for every file, so the plugin puts this code at the start of each file. The code has
 * no line break, so that line numbers stay the same.
 */
const SET = `import { setDefaultTimeout as limit } from 'bun:test'; limit(${TEST_TIMEOUT_MS}); `;

if (!isGiven) {
  Bun.plugin({
    name: 'default timeout',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.test\.ts$/ }, ({ path }) => ({ loader: 'ts', contents: SET + readFileSync(path, 'utf8') }));
    },
  });
}
