/**
 * Maximum number of lines of an error. Longer errors, for example with generated values, are cut at the end, because
 * the reason comes first.
 */
const MAX_LINES = 60;
const RESULT = /^(\((pass|fail|skip|todo)\) | *\d+ (pass|fail)$)/;
const ERROR = /^\s*(error|[A-Z]\w*Error)\b/;

/**
 * Repeats errors at the end of the output, because people and CI pages look at the end of a long log. The runner prints
 * an error between test results, and not always before the result of its own test.
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
