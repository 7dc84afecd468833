import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { renderNotes } from '../check/changelog.ts';
import { findSchemaChanges } from '../check/frozen-schema.ts';
import { findRefusals, findUncommitted } from '../check/releasable.ts';
import { findReleaseBreaks, writeRelease } from '../check/release.ts';
import { ROOT } from '../check/root.ts';
import { VERSION } from '../src/version.ts';
import { writeChecksums } from './checksums.ts';

const DIST = join(ROOT, 'dist');

const refuseIf = (problems: readonly string[]): void => {
  for (const problem of problems) console.error(`refused: ${problem}`);
  if (problems.length > 0) process.exit(1);
};

const run = (...command: string[]): void => {
  const shown = command.join(' ');
  console.log(`> ${shown}`);
  const { exitCode } = Bun.spawnSync(command, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  if (exitCode !== 0) refuseIf([`\`${shown}\` failed; fix the problems above, then run \`npm run release\` again`]);
};

refuseIf(await findRefusals());
// This comparison must come before `writeRelease`, because `writeRelease` replaces the files of the last release.
refuseIf([...findReleaseBreaks(), ...findSchemaChanges()]);
const frozen = writeRelease();
// Each program reports the commit that it was built from. That commit must contain the frozen files.
const uncommitted = findUncommitted(ROOT, 'docs/releases').join(', ');
refuseIf(
  uncommitted
    ? [`these files are new or changed; commit them, then run \`npm run release\` again: ${uncommitted}`]
    : [],
);

run('npm', 'run', 'check');
run('npm', 'run', 'build', '--', '--all');
run('npm', 'run', 'build:client');
run('npm', 'pack', './client', '--pack-destination', 'dist');
for (const path of ['LICENSE', ...frozen]) copyFileSync(join(ROOT, path), join(DIST, basename(path)));
const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
writeFileSync(join(DIST, 'RELEASE-NOTES.md'), renderNotes(changelog, VERSION));
await writeChecksums(DIST);
console.log(`version ${VERSION} is in dist/; upload all of its files`);
