import { inOneLine } from '../../src/kernel/log.ts';
import type { CommandResult } from '../args/invocation.ts';
import { FILES, OUTPUT } from '../messages.ts';
import { allowsColours, createPaint } from './paint.ts';

/** If a write fails, `print` rejects and `tell` returns false. */
type Streams = { print(text: Uint8Array): Promise<void>; tell(text: string): boolean };

const [MARK, HINT] = ['petstore: ', 'Try: '];
const [FAILED, BAD_USAGE] = [1, 2];

const paintError = (text: string, environment: Record<string, string | undefined>): string => {
  if (!process.stderr.isTTY || !allowsColours(environment)) return text;
  const paint = createPaint(true);
  return text.startsWith(MARK) ? text.replaceAll(/^petstore:/gm, paint('bad', 'petstore:')) : paint('dim', text);
};

export const wantsJson = (args: readonly string[]): boolean => args.includes('--json') || args.includes('--ndjson');

export const noteLine = (text: string): string => inOneLine(JSON.stringify({ note: text.replace(MARK, '') }));

const errorLine = ({ exitCode, err = '', problem }: CommandResult): string => {
  const lines = err.split('\n').map((line) => (line.startsWith(MARK) ? line.slice(MARK.length) : line));
  const hint = lines.find((line) => line.startsWith(HINT));
  const error = {
    code: exitCode === BAD_USAGE ? 'bad_usage' : 'failed',
    ...problem,
    message: lines.filter((line) => line !== hint).join('\n'),
    ...(hint ? { try: hint.slice(HINT.length) } : {}),
  };
  return inOneLine(JSON.stringify(error));
};

/** If writing to standard output fails, a secret goes to standard error, because the service never shows it again. */
export const showResult = async (
  result: CommandResult,
  args: readonly string[],
  environment: Record<string, string | undefined>,
  { print, tell }: Streams,
): Promise<number> => {
  const { out, err, exitCode, isSecret } = result;
  const isJson = wantsJson(args);
  const fail = (problem: CommandResult): number => {
    tell(`${isJson ? errorLine(problem) : paintError(problem.err ?? '', environment)}\n`);
    return problem.exitCode;
  };
  try {
    if (out !== undefined) await print(Buffer.from(`${out}\n`));
  } catch (error) {
    // A program such as `head` may close the pipe early. This is not an error, unless the output is a secret.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE' && !isSecret) return exitCode;
    if (isSecret) tell(`${out}\n`);
    const reasons = [FILES.cannotWrite(OUTPUT.standard, error), ...(isSecret ? [OUTPUT.secretElsewhere] : [])];
    return fail({ exitCode: exitCode || FAILED, err: `${MARK}${reasons.join('; ')}` });
  }
  if (err === undefined) return exitCode;
  if (exitCode !== 0) return fail(result);
  return tell(`${isJson ? noteLine(err) : paintError(err, environment)}\n`) ? exitCode : FAILED;
};
