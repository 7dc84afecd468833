const MAX_LINES = 60;
const RESULT = /^(\((pass|fail|skip|todo)\) | *\d+ (pass|fail)$)/;
const ERROR = /^\s*(error|[A-Z]\w*Error)\b/;

/**
 * The runner prints errors among the results, and not always next to the test that failed. This function collects the
 * errors so that they can be printed at the end of the log, where people look first.
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
