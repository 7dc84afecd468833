import { afterAll, describe, expect } from 'bun:test';
import { chmodSync, chownSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../src/kernel/finding.ts';
import { createWorkbench } from '../test/program.ts';
import { serverUser } from '../test/servers/server-process.ts';
import { createShop, namesOf, petsIn } from './operator.ts';
import { proof } from './proof.ts';

const bench = createWorkbench();
afterAll(bench.clear);
const shop = createShop(bench);

const user = serverUser();
const { uid, gid } = user ?? { uid: 0, gid: 0 };
const asUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
/** Runs a program as root but without the right to change file owners, as on some network file systems. */
const withoutChown = ['setpriv', '--bounding-set=-chown'];
const PETS = namesOf(20, 'pet');

const makeFolder = async () => {
  const directory = bench.directory();
  chownSync(directory, uid, gid);
  const where = { directory, before: asUser };
  const service = await shop.serveWith(where, PETS);
  expect(await shop.run(where, 'backup', 'backup.db')).toMatchObject({ exitCode: 0 });
  await service.kill();
  const folder = join(directory, 'data');
  const moveAway = (to: string) => {
    mkdirSync(join(directory, to));
    for (const name of readdirSync(folder)) renameSync(join(folder, name), join(directory, to, name));
  };
  const foreign = () => readdirSync(folder).filter((name) => statSync(join(folder, name)).uid !== uid);
  return { directory, folder, where, file: join(folder, 'petstore.db'), moveAway, foreign };
};

const ownerFound = (out: string) => (JSON.parse(out) as Finding[]).find(({ part }) => part === 'owner');

describe.skipIf(!user || Bun.which('setpriv') === null)('file owners', () => {
  proof(
    'the service user, who owns the folder, can open files that root made with restore, migrate, backup, serve or doctor',
    async ({ figure }) => {
      const { directory, where, file, moveAway, foreign } = await makeFolder();
      let [commands, left] = [0, 0];
      const check = () => {
        commands += 1;
        left += foreign().length;
      };
      moveAway('first');
      expect(await shop.run({ directory }, 'restore', 'backup.db')).toMatchObject({ exitCode: 0, err: '' });
      check();
      moveAway('second');
      for (const args of [
        ['migrate'],
        ['backup', 'data/backup.db'],
        ['backup', 'data/many/', '--keep', '2'],
        ['doctor'],
      ]) {
        expect(await shop.run({ directory }, ...args)).toMatchObject({ exitCode: 0, err: '' });
        check();
      }
      await (await shop.serveWith({ directory }, PETS)).kill();
      check();
      figure(`${left} files not owned by the service user after ${commands} commands run as root`);
      expect(left).toBe(0);
      await (await shop.serveWith(where)).kill();
      expect(petsIn(file)).toEqual(PETS);
    },
  );

  proof(
    'an error about a file that root owns names the owner, the current user and the command that fixes it',
    async ({ figure }) => {
      const { directory, where, file, foreign } = await makeFolder();
      chownSync(file, 0, 0);
      chmodSync(file, 0o600);
      const { exitCode, err } = await shop.run(where);
      expect({ exitCode, err }).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining('belongs to root (0), but this'),
      });
      expect(err).toMatch(
        new RegExp(`this process runs as \\w+ \\(${uid}\\): run chown ${uid}:${gid} data/petstore\\.db as root`),
      );
      const [byRoot, byUser] = [
        await shop.run({ directory }, 'doctor', '--json'),
        await shop.run(where, 'doctor', '--json'),
      ];
      expect(ownerFound(byRoot.out)).toMatchObject({ state: 'warning', found: expect.stringContaining('cannot open') });
      expect(ownerFound(byUser.out)).toMatchObject({
        state: 'wrong',
        found: expect.stringContaining('belongs to root (0)'),
      });
      const [, command = ''] = /run (chown .*?) as root/.exec((await shop.run(where)).err) ?? [];
      expect(await bench.start({ directory, command: command.split(' ') }).ended()).toMatchObject({ exitCode: 0 });
      await (await shop.serveWith(where)).kill();
      expect([petsIn(file), foreign()]).toEqual([PETS, []]);
      expect(ownerFound((await shop.run({ directory }, 'doctor', '--json')).out)?.state).toBe('ok');
      figure(
        'start: the message names owner, user and command, and the command works; doctor: a warning for root, an error for the user',
      );
    },
  );

  proof('a file whose owner root cannot change is reported', async ({ figure }) => {
    const { directory, moveAway } = await makeFolder();
    moveAway('first');
    const { exitCode, err } = await shop.run({ directory, before: withoutChown }, 'restore', 'backup.db');
    expect({ exitCode, err }).toMatchObject({
      exitCode: 0,
      err: expect.stringContaining(`chown ${uid}:${gid} data/petstore.db`),
    });
    figure('restored, and the command that changes the owner printed');
  });
});
