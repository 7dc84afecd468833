const MAX_LINES = 60;
const RESULT = /^(\((pass|fail|skip|todo)\) | *\d+ (pass|fail)$)/;
const ERROR = /^\s*(error|[A-Z]\w*Error)\b/;

/**
 * Repeats errors at the end of the output, because people look at the end of a long log first. The runner prints errors
 * between the results, and not always next to the right test.
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
