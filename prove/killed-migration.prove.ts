import { afterAll, expect } from 'bun:test';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkbench } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { createShop, namesOf, petsIn } from './operator.ts';
import { LONG, proof } from './proof.ts';

const bench = createWorkbench();
afterAll(bench.clear);
const shop = createShop(bench);

const KILLS = LONG ? 30 : 6;
const STEP = 'CREATE TABLE next (id INTEGER) STRICT';
const SLOW = `${STEP}; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 500000000) SELECT count(*) FROM n`;
const PROGRAM = join(import.meta.dir, '..', 'test', 'migrating.program.ts');

const startLater = (directory: string, step: string) =>
  bench.start({ directory, command: [process.execPath, PROGRAM, join(directory, 'data', 'petstore.db'), step] });

proof(
  `${KILLS} starts killed during a migration leave one complete copy, and every row is present after the next start`,
  async ({ figure }) => {
    const directory = bench.directory();
    const folder = join(directory, 'data');
    const named = (part: RegExp) => readdirSync(folder).filter((name) => part.test(name));
    const copies = () => named(/\.schema-\d+\.\w+$/);
    const made = new Set<number>();
    let [most, unfinished] = [0, 0];

    const killAmid = async (what: 'copy' | 'step') => {
      const started = startLater(directory, SLOW);
      const copying = () => what === 'copy' && existsSync(join(folder, 'petstore.db.copying'));
      await waitFor('the migration is under way', () => copying() || started.written.out !== '');
      await started.kill();
      if (what === 'step') for (const copy of copies()) made.add(statSync(join(folder, copy)).ino);
      most = Math.max(most, copies().length);
      unfinished = Math.max(unfinished, named(/\.copying$/).length);
    };

    const first = namesOf(1000, 'first');
    await (await shop.serveWith({ directory }, first)).stop();
    for (let turn = 0; turn < KILLS; turn += 1) await killAmid(turn < KILLS / 2 ? 'copy' : 'step');
    figure(`${KILLS} killed starts: at most ${most} copy and ${unfinished} unfinished file; copies made: ${made.size}`);
    expect([most, made.size]).toEqual([1, 1]);
    expect(unfinished).toBeLessThan(2);

    const second = namesOf(10, 'second');
    await (await shop.serveWith({ directory }, second)).stop();
    await killAmid('copy');
    await killAmid('step');
    const [copy = '', ...others] = copies();
    expect(others).toEqual([]);
    const checked = await shop.run({ directory }, 'restore', join('data', copy), '--dry-run');
    expect(checked).toMatchObject({ exitCode: 0, out: expect.stringContaining('1,010 pets') });
    figure('after 10 more rows: one complete copy with all 1,010');

    expect(await startLater(directory, STEP).ended()).toMatchObject({ exitCode: 0, err: '' });
    expect(petsIn(join(folder, 'petstore.db'))).toEqual([...first, ...second].sort());
    expect(copies()).toEqual([copy]);
    figure('the next start: migrated, 1,010 of 1,010 rows');
  },
);
