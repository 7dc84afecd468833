import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../check/root.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { writeChecksums } from './checksums.ts';
import { readCommit } from './commit.ts';
import { compile } from './compile.ts';
import { withRuntime } from './runtime.ts';
import { endingOf, isTarget, TARGETS, type Target } from './targets.ts';

const DIST = join(ROOT, 'dist');

const isMusl = (): boolean =>
  process.platform === 'linux' && [...new Bun.Glob('ld-musl-*').scanSync('/lib')].length > 0;
const HERE = `${process.platform.replace('win32', 'windows')}-${process.arch}${isMusl() ? '-musl' : ''}`;

const readTargets = (args: readonly string[]): Target[] => {
  const wanted = args.flatMap((arg) => {
    if (arg === '--all') return Object.keys(TARGETS);
    if (arg.startsWith('--target=')) return arg.slice('--target='.length).split(',');
    throw new Error(`there is no option ${arg}; there are --all and --target=${Object.keys(TARGETS).join(',')}`);
  });
  return (wanted.length > 0 ? wanted : [HERE]).map((name) => {
    if (!isTarget(name)) throw new Error(`there is no target ${name}; there are ${Object.keys(TARGETS).join(', ')}`);
    return name;
  });
};

const make = async (target: Target, commit: string): Promise<void> => {
  const isHere = target === HERE;
  const hasShortName = isHere && !process.argv.includes('--all');
  const outfile = join(DIST, (hasShortName ? 'petstore' : `petstore-${target}`) + endingOf(target));
  const { modules, licenses } = isHere
    ? await compile({ outfile, commit })
    : await withRuntime(target, (executablePath) => compile({ outfile, commit, target, executablePath }));
  await Bun.write(`${outfile}.cdx.json`, `${JSON.stringify(billOfMaterials(modules, target, commit), null, 2)}\n`);
  await Bun.write(`${outfile}.licenses.txt`, `${licenses}\n`);
  const megabytes = (Bun.file(outfile).size / 1e6).toFixed(1);
  console.log(`dist/${basename(outfile)}  ${megabytes} MB  ${target}, commit ${commit}`);
};

const main = async (): Promise<void> => {
  const targets = readTargets(process.argv.slice(2));
  const commit = readCommit(process.env);
  rmSync(DIST, { recursive: true, force: true });
  mkdirSync(DIST);
  for (const target of targets) {
    try {
      await make(target, commit);
    } catch (error) {
      console.error(`petstore-${target} is not made: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  }
  await writeChecksums(DIST);
};

await main();
