import { afterAll, expect } from 'bun:test';
import { mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkbench } from '../test/program.ts';
import { createShop, namesOf, petsIn } from './operator.ts';
import { LONG, proof } from './proof.ts';

const bench = createWorkbench();
afterAll(bench.clear);
const shop = createShop(bench);

const PETS = namesOf(20, 'pet');

const makeLinks = (directory: string) => {
  for (const folder of ['real', 'data']) mkdirSync(join(directory, folder));
  const real = join(directory, 'real', 'petstore.db');
  symlinkSync(real, join(directory, 'data', 'petstore.db'));
  symlinkSync('../real/petstore.db', join(directory, 'data', 'relative.db'));
  symlinkSync('petstore.db', join(directory, 'data', 'second.db'));
  const links = readdirSync(join(directory, 'data')).sort();
  return { real, names: ['real/petstore.db', ...links.map((name) => `data/${name}`)], links };
};

proof('every command locks, restores and copies the real file, whichever link is used', async ({ figure }) => {
  const directory = bench.directory();
  const { real, links, ...made } = makeLinks(directory);
  const names = LONG ? made.names : made.names.slice(0, 2);
  await (await shop.serveWith({ directory, url: real }, PETS)).kill();
  const service = await shop.serveWith({ directory });
  expect(await shop.run({ directory }, 'backup', 'backup.db')).toMatchObject({ exitCode: 0 });
  let refused = 0;
  for (const url of names) {
    for (const command of [['restore', 'backup.db'], ['serve']]) {
      const { exitCode, err } = await shop.run({ directory, url }, ...command);
      expect({ url, command, exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining('in use by') });
      refused += 1;
    }
    for (const command of [['doctor'], ['migrate', '--dry-run']])
      expect(await shop.run({ directory, url }, ...command)).toMatchObject({ exitCode: 0 });
  }
  figure(`${refused} of ${refused} restores and starts by ${names.length} names refused while a service uses the file`);
  expect(readdirSync(join(directory, 'data')).sort()).toEqual(links);
  await service.kill();

  const second = await shop.serveWith({ directory });
  mkdirSync(join(directory, 'moved'));
  for (const name of readdirSync(join(directory, 'real')).filter((name) => !name.includes('.lock')))
    renameSync(join(directory, 'real', name), join(directory, 'moved', name));
  for (const url of names) {
    const { exitCode, err } = await shop.run({ directory, url }, 'restore', 'backup.db');
    expect({ url, isRefused: exitCode !== 0, err }).toMatchObject({
      isRefused: true,
      err: expect.stringMatching(/in use by|symbolic link to a file that exists/),
    });
  }
  await second.kill();

  const commands = names
    .filter((name) => name !== 'real/petstore.db')
    .flatMap((url) =>
      ['serve', 'restore backup.db', 'backup new.db', 'migrate', 'doctor'].map((command) => ({ url, command })),
    );
  const refuse = async ({ url, command }: (typeof commands)[number]) => {
    const { exitCode, out, err } = await shop.run({ directory, url }, ...command.split(' '));
    expect({ url, command, exitCode, said: out + err }).toMatchObject({
      exitCode: command === 'doctor' ? 1 : 2,
      said: expect.stringContaining('symbolic link to a file that exists'),
    });
  };
  await Promise.all(commands.map(refuse));
  const dangling = commands.length;
  figure(`${dangling} of ${dangling} commands refuse a dangling link, and create no file`);
  expect(readdirSync(join(directory, 'data')).sort()).toEqual(links);
  expect(readdirSync(join(directory, 'real')).filter((name) => !name.includes('.lock'))).toEqual([]);

  expect(await shop.run({ directory, url: real }, 'restore', 'backup.db')).toMatchObject({ exitCode: 0 });
  await (await shop.serveWith({ directory })).kill();
  expect(petsIn(real)).toEqual(PETS);
});
