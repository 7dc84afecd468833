import { showShare, worstOf } from './outcome.ts';
import { PROMISES } from './promises.ts';
import { type Results, readResults } from './results.ts';

const INTRODUCTION = `# Reliability

This page lists the service's promises, the programs that test each promise, and their latest results. \`npm run prove\` runs
the programs, stores the results in \`prove/results.json\` and writes this page.

| result | meaning |
|---|---|
| **met** | the promise was kept |
| **met, short run** | the promise was kept, but the test ran with fewer repetitions than the promise states |
| **failed** | a row was lost, duplicated or leaked, a pet was oversold, a limit was exceeded, or an unexpected 5xx was returned; this result counts even on a busy machine |
| **missed** | something took longer than its limit on a quiet machine; the run fails, except in CI, where the speed of the machine is unknown |
| **not reached** | something took longer than a limit that is known not to be met yet; the run does not fail |
| **too busy** | something took longer than its limit while other programs used more than a tenth of the processors; the result does not count |
| **not asked** | the proof depends on an external service that did not respond, or takes hours |
| **in \`npm test\`** | the promise is tested by \`npm test\`, not by \`npm run prove\` |

CI runs shorter versions of the tests. \`npm run prove -- --long\` repeats each test as often as its promise states.
`;

type Promised = (typeof PROMISES)[string][number];

export const standingOf = ({ proofs, tests, isCounted }: Promised, results: Results): string => {
  if (!proofs) return tests ? 'in `npm test`' : 'no program yet';
  const rows = proofs.flatMap((proof) => results[proof]?.rows ?? []);
  const isWhole = proofs.every((proof) => results[proof] && !results[proof].skipped);
  const worst = worstOf(rows);
  if (worst === undefined) return 'not run yet';
  if (worst !== 'met') return worst;
  if (!isWhole) return 'met in part';
  return isCounted && proofs.some((proof) => !results[proof]?.isLong) ? 'met, short run' : 'met';
};

const programsOf = ({ proofs, tests }: Promised): string =>
  [...(proofs ?? []).map((proof) => `\`prove/${proof}.prove.ts\``), ...(tests ?? []).map((path) => `\`${path}\``)].join(
    '<br>',
  );

const table = (promises: readonly Promised[], results: Results): string =>
  [
    '| name | situation | promise | program | result |',
    '|---|---|---|---|---|',
    ...promises.map((promised) => {
      const { name, when, promise } = promised;
      return `| ${name} | ${when} | ${promise} | ${programsOf(promised)} | ${standingOf(promised, results)} |`;
    }),
    '',
  ].join('\n');

const figuresOf = (proof: string, results: Results): string => {
  const result = results[proof];
  if (!result) return [`### \`prove/${proof}.prove.ts\``, '', 'Not run yet.', ''].join('\n');
  const { rows, skipped, isLong, seconds, others, date, commit, machine } = result;
  return [
    `### \`prove/${proof}.prove.ts\``,
    '',
    `${isLong ? 'Long' : 'Short'} run on ${date} at commit ${commit}: ${seconds} s on ${machine}; other programs used ${showShare(others)}.`,
    '',
    ...rows.map(({ outcome, sentence, figures }) => `- **${outcome}**: ${[sentence, ...figures].join('; ')}`),
    ...(skipped ? [`- skipped: ${skipped}`] : []),
    '',
  ].join('\n');
};

export const createReliabilityPage = (results: Results = readResults()): string => {
  const all = Object.values(PROMISES).flat();
  return [
    INTRODUCTION,
    ...Object.entries(PROMISES).flatMap(([section, promises]) => [`## ${section}`, '', table(promises, results)]),
    '## Latest figures',
    '',
    ...all.flatMap(({ proofs = [] }) => proofs).map((proof) => figuresOf(proof, results)),
  ].join('\n');
};
