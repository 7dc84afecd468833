/** An error that prints more, such as a generated value, is cut here: the reason comes first. */
const MAX_LINES = 60;
const RESULT = /^(\((pass|fail|skip|todo)\) | *\d+ (pass|fail)$)/;
const ERROR = /^\s*(error|[A-Z]\w*Error)\b/;

/**
 * Collects the errors among the lines of the test runner, to repeat them at the end of a run: people, and the pages of CI
 * services, see the end of a long log. The runner prints an error between the results of tests, not always before its own.
 */
export const collectErrors = () => {
  const errors: string[] = [];
  let between: string[] = [];
  return {
    errors,
    read(line: string): void {
      if (!RESULT.test(line)) {
        between.push(line);
        return;
      }
      if (between.some((said) => ERROR.test(said))) errors.push(between.slice(0, MAX_LINES).join('\n').trim());
      between = [];
    },
  };
};
