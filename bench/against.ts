import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Contender, compareLaunches, type Ratio, ratioOf } from './compare.ts';
import type { Kind } from './load.ts';
import { copyOf } from './questions.ts';
import { ADMIN_KEY, ROOT, sqlite, startService } from './servers.ts';
import type { Setting } from './works.ts';

const KINDS: Kind[] = ['get', 'hot', 'cold', 'create', 'once'];
const CONNECTIONS = 64;

const git = (...words: string[]): void => {
  const { exitCode, stderr } = Bun.spawnSync(['git', ...words], { cwd: ROOT });
  if (exitCode !== 0) throw new Error(`git ${words.join(' ')} failed: ${stderr}`);
};

const show = ({ median, least, most }: Ratio): string =>
  `${median.toFixed(3)} (${least.toFixed(3)} to ${most.toFixed(3)})`;

/**
 * Compares the current code's processor time per request with that of another commit. The other commit runs twice per
 * round. The difference between its two runs shows how much the measurement varies.
 */
export const compareWith = async (commit: string, setting: Setting): Promise<string> => {
  const root = join(setting.directory, 'other');
  git('worktree', 'add', '--detach', root, commit);
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    const { log, cursorFile, pets, seconds, rounds } = setting;
    const [own, other] = [copyOf(setting.database, 'own'), copyOf(setting.database, 'other')];
    const lines = [`| workload | this commit ÷ ${commit} | ${commit} ÷ ${commit} |`, '|---|--:|--:|'];
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
    git('worktree', 'remove', '--force', root);
    rmSync(root, { recursive: true, force: true });
  }
};
