import { readSources } from './sources.ts';

const MOST_LINES = 400;

/** The files that are too long to be read in one sitting. */
export const findLongFiles = (): string[] =>
  [...readSources(['src', 'client', 'test', 'prove', 'check', 'bench'], ['.ts', '.sh'])].flatMap(([path, text]) => {
    const lines = text.split('\n').length - 1;
    return lines > MOST_LINES ? [`${path} has ${lines} lines: at most ${MOST_LINES}`] : [];
  });
