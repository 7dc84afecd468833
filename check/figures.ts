import { join, posix } from 'node:path';
import { ROOT } from './root.ts';
import { readSources } from './sources.ts';
import type { Traces } from './trace-request.ts';

/**
 * The target is a value from `least` to `most`. A figure that has a `ceiling` may exceed `most`, but not the ceiling.
 */
type Figure = { name: string; value: number; least?: number; most?: number; ceiling?: number };

const EXPLANATION = 'not met, see decision 24';

const COUNTED = ['src', 'cli', 'generate'];
const TEST_OR_GENERATED = /\.(test|suite)\.tsx?$|\/generated\//;

const isMet = ({ value, least = 0, most = Infinity }: Figure): boolean => value >= least && value <= most;

/** @internal */
export const isAccepted = (figure: Figure): boolean =>
  isMet({ ...figure, most: figure.ceiling ?? figure.most ?? Infinity });

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const sizeFigures = (sources: ReadonlyMap<string, string>): Figure[] => {
  const files = [...sources]
    .filter(([path]) => !TEST_OR_GENERATED.test(path))
    .map(([path, text]) => ({ path, top: path.split('/')[0] as string, lines: text.split('\n').length - 1 }));
  const counted = files.filter(({ top }) => COUNTED.includes(top)).sort((one, other) => one.lines - other.lines);
  const linesOf = (folder: string) => sum(counted.filter(({ top }) => top === folder).map(({ lines }) => lines));
  const folders = Map.groupBy(files, ({ path }) => posix.dirname(path));
  const [fullest, its] = [...folders].sort(([, one], [, other]) => other.length - one.length)[0] ?? ['none', []];
  const median = counted[Math.floor(counted.length / 2)]?.lines ?? 0;
  const longest = counted.at(-1);
  return [
    { name: 'lines of src', value: linesOf('src'), most: 18_500, ceiling: 22_750 },
    { name: 'lines of cli', value: linesOf('cli') },
    { name: 'lines of generate', value: linesOf('generate') },
    { name: 'lines of all three', value: sum(COUNTED.map(linesOf)), most: 23_500, ceiling: 30_700 },
    { name: 'files in src/compose', value: folders.get('src/compose')?.length ?? 0, most: 8 },
    { name: `files in the fullest folder, ${fullest}`, value: its.length, most: 20 },
    { name: 'lines of the median file', value: median, least: 40, most: 80 },
    { name: `lines of the longest file, ${longest?.path ?? 'none'}`, value: longest?.lines ?? 0, most: 400 },
  ];
};

/** The tracer must instrument modules before they are loaded, so it runs in a separate process. */
const traceFigures = async (): Promise<Figure[]> => {
  const command = [process.execPath, join(ROOT, 'check/trace-request.ts')];
  const running = Bun.spawn(command, { cwd: ROOT, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [out, err] = await Promise.all([new Response(running.stdout).text(), new Response(running.stderr).text()]);
  if ((await running.exited) !== 0) throw new Error(`a request could not be traced:\n${err}`);
  const { get, create } = JSON.parse(out) as Traces;
  return [
    { name: 'files that a get calls', value: get.files, most: 25 },
    { name: `functions that a get calls, with ${get.closures} closures`, value: get.functions, most: 60 },
    { name: 'files that a create calls', value: create.files, most: 40 },
    { name: `functions that a create calls, with ${create.closures} closures`, value: create.functions, most: 120 },
  ];
};

export const showFigures = (figures: readonly Figure[]): string[] =>
  figures.map((figure) => {
    const { name, value, least, most } = figure;
    const shown = `${name.padEnd(60)}${value.toLocaleString('en').padStart(7)}`;
    if (most === undefined) return shown;
    const target = least === undefined ? `at most ${most.toLocaleString('en')}` : `${least} to ${most}`;
    return `${shown}   ${target.padEnd(16)}${isMet(figure) ? 'met' : isAccepted(figure) ? EXPLANATION : 'not met'}`;
  });

export const printFigures = async (): Promise<boolean> => {
  const sources = readSources([...COUNTED, 'client/src', 'console'], ['.ts', '.tsx', '.css', '.js']);
  const figures = [...sizeFigures(sources), ...(await traceFigures())];
  console.log(['figures', ...showFigures(figures)].join('\n        '));
  return figures.every(isAccepted);
};

if (import.meta.main) process.exitCode = (await printFigures()) ? 0 : 1;
