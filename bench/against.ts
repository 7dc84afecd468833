import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Contender, compareLaunches, median, type Ratio, ratioOf, spread } from './compare.ts';
import type { Paired, PairedKind } from './paired.ts';
import { pinned } from './processes.ts';
import { copyOf } from './questions.ts';
import { ADMIN_KEY, ROOT, sqlite, startService } from './servers.ts';
import type { Setting } from './works.ts';

const KINDS: PairedKind[] = ['get', 'hot', 'cold', 'create', 'once'];
const CONNECTIONS = 64;

const git = (...words: string[]): void => {
  const { exitCode, stderr } = Bun.spawnSync(['git', ...words], { cwd: ROOT });
  if (exitCode !== 0) throw new Error(`git ${words.join(' ')} failed: ${stderr}`);
};

const show = ({ median, least, most }: Ratio, digits = 3): string =>
  `${median.toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;

const addWorktree = (root: string, commit: string): void => {
  git('worktree', 'add', '--detach', root, commit);
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
};

const removeWorktrees = (roots: readonly string[]): void => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
  git('worktree', 'prune');
};

const PAIRED_LAUNCHES = 5;

const runPaired = async (kind: PairedKind, roots: readonly string[], setting: Setting): Promise<Paired> => {
  const { database, pets, cursorFile } = setting;
  const sides = roots.flatMap((root, side) => [root, copyOf(database, `paired${side}`)]);
  const command = [process.execPath, join(ROOT, 'bench/paired.ts'), kind, String(pets), cursorFile, ...sides];
  const running = Bun.spawn(pinned(command, 'server'), { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
  const said = await new Response(running.stdout).text();
  if ((await running.exited) !== 0) throw new Error(`bench/paired.ts failed: ${said}`);
  return JSON.parse(said);
};

const pairedLines = async (commit: string, roots: readonly string[], setting: Setting): Promise<string[]> => {
  const lines = [
    `| without a network | ${commit}, µs | this commit, µs more | ${commit} again, µs more |`,
    '|---|--:|--:|--:|',
  ];
  for (const kind of KINDS) {
    const taken: Paired[] = [];
    for (let launch = 0; launch < PAIRED_LAUNCHES; launch += 1) taken.push(await runPaired(kind, roots, setting));
    const columns = [
      median(taken.map(({ micros }) => micros)).toFixed(1),
      ...[0, 1].map((other) => show(spread(taken.map(({ more }) => more[other] as number)), 1)),
    ];
    lines.push(`| ${[kind, ...columns].join(' | ')} |`);
  }
  return lines;
};

/**
 * Compares the current code's processor time per request with that of another commit, first in one process and without
 * a network, then under load. The other commit runs twice. The difference between its two runs shows how much the
 * measurement varies.
 */
export const compareWith = async (commit: string, setting: Setting): Promise<string> => {
  const [root, again] = [join(setting.directory, 'other'), join(setting.directory, 'again')];
  try {
    for (const worktree of [root, again]) addWorktree(worktree, commit);
    const lines = await pairedLines(commit, [root, ROOT, again], setting);
    const { log, cursorFile, pets, seconds, rounds } = setting;
    const [own, other] = [copyOf(setting.database, 'own'), copyOf(setting.database, 'other')];
    lines.push('', `| under load | this commit ÷ ${commit} | ${commit} ÷ ${commit} |`, '|---|--:|--:|');
    const launchOther = () => startService(sqlite(other), log, {}, { root });
    const contenders: Contender[] = [
      { name: 'before', launch: launchOther },
      { name: 'after', launch: () => startService(sqlite(own), log) },
      { name: 'again', launch: launchOther },
    ];
    for (const kind of KINDS) {
      const load = { kind, key: ADMIN_KEY, pets, cursorFile, seconds, connections: CONNECTIONS };
      const taken = await compareLaunches(contenders, load, { rounds, sideLoad: () => () => undefined });
      const [change, noise] = [
        ratioOf(taken, 'cpuMicros', ['after', 'before']),
        ratioOf(taken, 'cpuMicros', ['again', 'before']),
      ];
      lines.push(`| ${kind} | ${show(change)} | ${show(noise)} |`);
    }
    return lines.join('\n');
  } finally {
    removeWorktrees([root, again]);
  }
};
