import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSources } from '../check/sources.ts';
import { codeBlocks, readDocument } from './documents.ts';
import { createWorkbench, PROGRAM } from './program.ts';
import { waitFor } from './wait-for.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const ADMIN_KEY = 'an-admin-key-of-the-operator';
const backUp = readDocument('docs/operating/back-up.md');
const monitor = readDocument('docs/operating/monitor.md');

const linesOf = (heading: string): string[] => {
  const [, chapter = ''] = backUp.split(`\n## ${heading}\n`);
  const [own = ''] = chapter.split(/^##+ /m);
  return codeBlocks(own).flatMap((block) => block.trim().split('\n'));
};

describe('the commands in docs/operating/back-up.md', () => {
  test('work line by line, and restore the data', async () => {
    const directory = bench.directory();
    const program = `#!/bin/sh\nexec ${PROGRAM.map((word) => `'${word}'`).join(' ')} "$@"\n`;
    writeFileSync(join(directory, 'petstore'), program, { mode: 0o755 });
    const type = (line: string, environment = {}) =>
      bench.start({ directory, environment, command: ['sh', '-c', `exec ${line}`] });
    const serve = async () => {
      const service = type('./petstore', { PETSTORE_ADMIN_KEY: ADMIN_KEY });
      return { service, pets: `${await service.origin()}/v1/pets` };
    };
    const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };

    const first = await serve();
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
    expect((await fetch(first.pets, { method: 'POST', headers, body })).status).toBe(201);
    const making = linesOf('Making a backup');
    expect(making).toHaveLength(3);
    for (const line of making.filter((each) => !each.includes('--every'))) {
      expect({ line, ...(await type(line).ended()) }).toMatchObject({ line, exitCode: 0, err: '' });
    }
    const repeated = type(making.find((line) => line.includes('--every')) as string);
    await waitFor(
      'a backup is made',
      () => /^backups\/petstore-\w+\.db: intact/m.test(repeated.written.out) || undefined,
    );
    repeated.signal('SIGTERM');
    expect((await repeated.ended()).exitCode).toBe(0);
    expect(readdirSync(join(directory, 'backups'))).toHaveLength(1);

    first.service.signal('SIGTERM');
    await first.service.ended();
    for (const line of linesOf('Restoring a backup')) {
      expect({ line, ...(await type(line).ended()) }).toMatchObject({ line, exitCode: 0, err: '' });
    }
    const again = await serve();
    expect(await (await fetch(again.pets, { headers })).json()).toMatchObject([{ name: 'Rex' }]);
  });
});

const eventsInCode = (): string[] =>
  [...readSources(['src'], ['.ts'])]
    .filter(([path]) => !/\.(test|suite)\.ts$/.test(path))
    .flatMap(([, source]) => [
      ...[...source.matchAll(/\blog\.(info|warn|error)\(\s*'(\w+)'/g)].map(([, level, event]) => `${event} ${level}`),
      ...[...source.matchAll(/\bspell\('(\w+)', '(\w+)'/g)].map(([, level, event]) => `${event} ${level}`),
      ...[...source.matchAll(/\badvise\('(\w+)'/g)].map(([, event]) => `${event} warn`),
    ]);

test('docs/operating/monitor.md lists every log event with its level, and no others', () => {
  const listed = [...monitor.matchAll(/^\| (`[^|]+) \| (info|warn|error) \|/gm)].flatMap(([, names = '', level]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, event]) => `${event} ${level}`),
  );
  expect(listed.sort()).toEqual([...new Set(eventsInCode())].sort());
});
