import { describe, expect, test } from 'bun:test';
import { csvField, spreadsheetField, unescapeFormula } from './csv-field.ts';

const FORMULAS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', "'=", "''="].map(
  (start) => `${start}SUM(A1)`,
);

describe('a field of a CSV file', () => {
  test.each(FORMULAS)('is text for a spreadsheet, and an import reads %j back', (text) => {
    const field = spreadsheetField(text);
    const written = field.startsWith('"') ? field.slice(1, -1) : field;
    expect(written).toBe(`'${text}`);
    expect(unescapeFormula(written)).toBe(text);
  });

  test.each(['Rex', "'Tis", "O'Hara", '5', "'"])('%s is not escaped', (text) => {
    expect(spreadsheetField(text)).toBe(text);
    expect(unescapeFormula(text)).toBe(text);
  });

  test('with a negative number stays a number', () => {
    expect([spreadsheetField(-5), spreadsheetField(-5n), spreadsheetField(null)]).toEqual(['-5', '-5', '']);
  });

  test.each([
    ['a,b', '"a,b"'],
    ['a;b', '"a;b"'],
    ['a\tb', '"a\tb"'],
    ['a\nb', '"a\nb"'],
    ['a\rb', '"a\rb"'],
    ['2" wide', '"2"" wide"'],
    [' a', '" a"'],
    ['a ', '"a "'],
  ])('%j is quoted', (text, field) => {
    expect(csvField(text)).toBe(field);
  });
});
