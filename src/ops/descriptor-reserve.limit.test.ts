import { afterAll, expect, test } from 'bun:test';
import { createWorkbench, PROGRAM } from '../../test/program.ts';
import { waitFor } from '../../test/wait-for.ts';

const workbench = createWorkbench();
afterAll(() => workbench.clear());

test.if(process.platform === 'linux')('a process with a low limit on open files reads the limit', async () => {
  const program = workbench.start({
    directory: workbench.directory(),
    // Bun raises the soft limit to the hard limit, so the test must lower both, as `ulimit -n` does.
    command: ['sh', '-c', 'ulimit -n 300 && exec "$0" "$@"', ...PROGRAM],
  });
  await program.origin();
  const seen = await waitFor(
    'the warning is logged',
    () => /\{[^\n]*few_file_descriptors[^\n]*\}/.exec(program.written.out)?.[0],
  );
  expect(JSON.parse(seen)).toMatchObject({ limit: 300, advice: expect.stringContaining('150 event streams') });
});
