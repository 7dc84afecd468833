export type Counts = { passed: number; failed: number; skipped: number };

const attribute = (tag: string, name: string): number => Number(new RegExp(` ${name}="([0-9]+)"`).exec(tag)?.[1] ?? 0);

/**
 * The runner's JUnit report leaves out files that fail to load. If a run fails but its report contains no failure, the
 * run therefore counts as one failure. A run without any tests also counts as a failure.
 */
export const countResults = (report: string | undefined, exitCode: number): Counts => {
  const root = /<testsuites [^>]*>/.exec(report ?? '')?.[0] ?? '';
  const failures = attribute(root, 'failures');
  const skipped = attribute(root, 'skipped');
  const tests = attribute(root, 'tests');
  const unexplained = failures === 0 && (exitCode !== 0 || tests === 0);
  return { passed: tests - failures - skipped, failed: unexplained ? 1 : failures, skipped };
};

export const showCounts = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

export const slowestFiles = (report: string, count: number): { file: string; seconds: number }[] =>
  [...report.matchAll(/^ {2}<testsuite [^>]* file="([^"]+)"[^>]* time="([0-9.]+)"/gm)]
    .map(([, file = '', seconds]) => ({ file, seconds: Number(seconds) }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, count);

export const addCounts = (one: Counts, other: Counts): Counts => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
});
