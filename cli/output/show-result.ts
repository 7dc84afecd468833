import { type CommandResult, REFUSED } from '../args/invocation.ts';
import { FILES, OUTPUT } from '../messages.ts';
import { toJsonLine } from './show-answer.ts';

/** The two standard streams. `print` throws if it cannot write; `tell` returns false. */
type Streams = { print(text: string): Promise<void>; tell(text: string): boolean };

const [MARK, HINT] = ['petstore: ', 'Try: '];
const BAD_USAGE = 2;

/** An error as one line of JSON, with the code and the fields of the service's own error. */
const errorLine = ({ exitCode, err = '', problem }: CommandResult): string => {
  const lines = err.split('\n').map((line) => (line.startsWith(MARK) ? line.slice(MARK.length) : line));
  const hint = lines.find((line) => line.startsWith(HINT));
  return toJsonLine({
    code: exitCode === BAD_USAGE ? 'bad_usage' : 'failed',
    ...problem,
    message: lines.filter((line) => line !== hint).join('\n'),
    ...(hint ? { try: hint.slice(HINT.length) } : {}),
  });
};

/**
 * Prints the result of a command, and returns its exit code. Output that is lost is a failure. A secret that standard
 * output cannot take goes to standard error: nobody could read it again.
 */
export const showResult = async (result: CommandResult, isJson: boolean, { print, tell }: Streams): Promise<number> => {
  const { out, err, exitCode, isSecret } = result;
  const fail = (problem: CommandResult): number => {
    tell(isJson ? errorLine(problem) : (problem.err ?? ''));
    return problem.exitCode;
  };
  try {
    if (out !== undefined) await print(`${out}\n`);
  } catch (error) {
    // A reader may close the pipe when it has seen enough, as `head` does.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE' && !isSecret) return exitCode;
    if (isSecret) tell(out as string);
    const lines = [
      `${MARK}${FILES.cannotWrite(OUTPUT.standard, error)}`,
      ...(isSecret ? [OUTPUT.secretElsewhere] : []),
    ];
    return fail({ exitCode: exitCode || REFUSED, err: lines.join('; ') });
  }
  if (err === undefined) return exitCode;
  if (exitCode !== 0) return fail(result);
  return tell(err) ? exitCode : REFUSED;
};
