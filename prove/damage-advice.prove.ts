import { afterAll, expect } from 'bun:test';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkbench, PROGRAM } from '../test/program.ts';
import { createShop, namesOf, petsIn } from './operator.ts';
import { LONG, proof } from './proof.ts';

const bench = createWorkbench();
afterAll(bench.clear);
const shop = createShop(bench);

const PAGE = 4096;
const ROWS = 200;
const BACKED_UP = namesOf(5, 'in the backup');

const DAMAGE: Record<string, (file: Buffer) => Buffer> = {
  'its first pages overwritten': (file) => file.fill(0xff, 0, 3 * PAGE),
  emptied: () => Buffer.alloc(0),
  'all but its first page overwritten': (file) => file.fill(0xff, PAGE),
  'cut short': (file) => file.subarray(0, 2 * PAGE),
};

const KINDS = Object.entries(DAMAGE).slice(0, LONG ? undefined : 2);

const follow = async (directory: string, message: string): Promise<void> => {
  const commands = [...message.matchAll(/\((mkdir .*?|petstore restore .*?)\)/g)].map(([, command]) => command ?? '');
  expect(commands).toHaveLength(2);
  for (const command of commands) {
    const line = command.replace(/^petstore/, '"$@"').replace('<backup>', 'backup.db');
    const ended = await bench.start({ directory, command: ['sh', '-c', line, 'sh', ...PROGRAM] }).ended();
    expect({ command, ...ended }).toMatchObject({ exitCode: 0, err: '' });
  }
};

const tryDamage = async ([name, damage]: (typeof KINDS)[number]) => {
  const directory = bench.directory();
  const file = join(directory, 'data', 'petstore.db');
  const first = await shop.serveWith({ directory }, BACKED_UP);
  expect(await shop.run({ directory }, 'backup', 'backup.db')).toMatchObject({ exitCode: 0 });
  await first.kill();
  const names = namesOf(ROWS, name);
  await (await shop.serveWith({ directory }, names)).kill();
  writeFileSync(file, damage(readFileSync(file)));
  await follow(directory, (await shop.run({ directory })).err);
  await (await shop.serveWith({ directory })).kill();
  expect(petsIn(file)).toEqual(BACKED_UP);
  const log = readFileSync(join(directory, 'data', 'damaged', 'petstore.db-wal'));
  return names.filter((pet) => log.includes(pet)).length;
};

proof(
  `following the advice in the error message for a damaged file keeps all ${ROWS} acknowledged pets in its log`,
  async ({ figure }) => {
    const kept = await Promise.all(KINDS.map(tryDamage));
    const sum = kept.reduce((all, count) => all + count, 0);
    figure(
      `${sum} of ${KINDS.length * ROWS} acknowledged pets in the moved logs, after ${KINDS.length} kinds of damage`,
    );
    figure(`${KINDS.length} of ${KINDS.length} restored databases start`);
    expect(kept).toEqual(KINDS.map(() => ROWS));
  },
);

const KILLS = LONG ? 30 : 2;

proof(
  'the next start reports a log that was deleted while the service was running, and reports nothing else',
  async ({ figure }) => {
    const directory = bench.directory();
    const folder = join(directory, 'data');
    const reports = (out: string): number => out.split('"log_missing"').length - 1;
    let [reported, deleted, wrongly] = [0, 0, 0];
    const endings: ('kill' | 'stop')[] = ['kill', 'stop'];
    for (const [turn, end] of endings.entries()) {
      const service = await shop.serveWith({ directory }, namesOf(ROWS, `turn ${turn}`));
      for (const name of readdirSync(folder).filter((name) => name.endsWith(turn === 0 ? '-wal' : '-shm')))
        rmSync(join(folder, name));
      rmSync(join(folder, 'petstore.db-wal'), { force: true });
      await service[end]();
      deleted += 1;
      const next = await shop.serveWith({ directory });
      reported += reports((await next.kill()).out);
    }
    for (let turn = 0; turn < KILLS; turn += 1) {
      const service = await shop.serveWith({ directory }, namesOf(10, `kill ${turn}`));
      wrongly += reports((await service.kill()).out);
    }
    const last = await shop.serveWith({ directory });
    expect(await shop.run({ directory }, 'backup', 'backup.db')).toMatchObject({ exitCode: 0 });
    wrongly += reports((await last.kill()).out);
    for (const name of readdirSync(folder).filter((name) => /petstore\.db(-wal|-shm)?$/.test(name)))
      rmSync(join(folder, name));
    expect(await shop.run({ directory }, 'restore', 'backup.db')).toMatchObject({ exitCode: 0 });
    wrongly += reports((await (await shop.serveWith({ directory })).kill()).out);
    figure(
      `${reported} of ${deleted} deleted logs reported; ${wrongly} false reports after ${KILLS + 1} kills and a restore`,
    );
    expect([reported, wrongly]).toEqual([deleted, 0]);
  },
);
