import { readSources } from './sources.ts';

const MAX_LINES = 400;
const MAX_LINES_OF_A_FUNCTION = 80;

const OPENS_BODY = /(=>|\)(: [^=]+)?) \(?[{[]$/;
const OPENS_BLOCK = /^\s*(\} )?(if|else|for|while|do|switch|try|catch|finally)\b/;

const indentOf = (line: string): number => line.search(/\S/);

/** Finds the end of a function by indentation: the formatter indents the first and last lines of a function equally. */
export const functionsIn = (text: string): { line: number; lines: number }[] => {
  const all = text.split('\n');
  return all.flatMap((opening, index) => {
    if (!OPENS_BODY.test(opening) || OPENS_BLOCK.test(opening)) return [];
    const indent = indentOf(opening);
    const isPart = (line: string) => indentOf(line) > indent || indentOf(line) < 0 || /^\s*[)}\]]/.test(line);
    let first = index;
    while (first > 0 && isPart(all[first] as string)) first -= 1;
    const end = all.findIndex((line, at) => at > index && indentOf(line) === indent);
    return [{ line: first + 1, lines: end - first + 1 }];
  });
};

const longFunctions = (path: string, text: string): string[] =>
  functionsIn(text)
    .filter(({ lines }) => lines > MAX_LINES_OF_A_FUNCTION)
    .map(({ line, lines }) => `${path}:${line} has a function of ${lines} lines: at most ${MAX_LINES_OF_A_FUNCTION}`);

export const findLongParts = (): string[] => {
  const sources = [
    ...readSources(
      ['src', 'cli', 'generate', 'client/src', 'client/test', 'console', 'test', 'prove', 'check', 'bench'],
      ['.ts', '.tsx', '.sh'],
    ),
  ];
  return sources.flatMap(([path, text]) => {
    if (path.includes('/generated/')) return [];
    const lines = text.split('\n').length - 1;
    const isTest = /\.(test|suite|prove)\.ts$|^test\//.test(path);
    return [
      ...(lines > MAX_LINES ? [`${path} has ${lines} lines: at most ${MAX_LINES}`] : []),
      ...(isTest ? [] : longFunctions(path, text)),
    ];
  });
};
