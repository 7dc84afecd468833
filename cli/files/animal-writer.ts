import { toJsonLine } from '../output/show-answer.ts';
import type { Format } from './animal-rows.ts';
import { csvField, spreadsheetField } from './csv.ts';

type Animal = Record<string, unknown>;

/** How a list of animals is written piece by piece, in one of the formats. */
type Writer = {
  start: string;
  /** `index` counts the pieces; none is empty. */
  piece(animals: readonly Animal[], index: number): string;
  end: string;
};

export const createWriter = (format: Format, fields: readonly string[], isRaw = false): Writer => {
  if (format === 'csv') {
    const toField = isRaw ? csvField : spreadsheetField;
    const line = (cells: readonly unknown[]) => `${cells.map(toField).join(',')}\n`;
    return {
      start: line(fields),
      piece: (animals) => animals.map((animal) => line(fields.map((field) => animal[field]))).join(''),
      end: '',
    };
  }
  if (format === 'ndjson') {
    return { start: '', piece: (animals) => animals.map((animal) => `${toJsonLine(animal)}\n`).join(''), end: '' };
  }
  return {
    start: '[',
    piece: (animals, index) => (index === 0 ? '\n' : ',\n') + animals.map(toJsonLine).join(',\n'),
    end: '\n]\n',
  };
};
