import { expect, test } from 'bun:test';
import { fileDescriptorLimit } from './file-descriptors.ts';

const isLinux = process.platform === 'linux';

test.if(isLinux)('how many files may be open is known, and the same as for the shell that this process starts', () => {
  const { stdout } = Bun.spawnSync(['sh', '-c', 'ulimit -n']);
  expect(String(fileDescriptorLimit())).toBe(stdout.toString().trim());
});
