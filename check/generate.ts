import { findStale, writeGenerated } from './generated.ts';

if (process.argv.includes('--check')) {
  const stale = findStale();
  for (const problem of stale) console.error(problem);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const path of writeGenerated()) console.log(`wrote ${path}`);
}
