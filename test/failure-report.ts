/**
 * Maximum number of lines kept of an error. Longer errors, such as those with generated values, are cut at the end,
 * because the reason comes first.
 */
const MAX_LINES = 60;
const RESULT = /^(\((pass|fail|skip|todo)\) | *\d+ (pass|fail)$)/;
const ERROR = /^\s*(error|[A-Z]\w*Error)\b/;

/**
 * Repeats errors at the end of the output, because people and CI pages see the
 * end of a long log. The runner prints errors between test results, not always
 * before the result of their own test.
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
