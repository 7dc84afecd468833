import { describe, expect, test } from 'bun:test';
import { readArguments } from './read-arguments.ts';

const EXPECTED = { flags: ['name', 'scopes'], lists: ['scopes'], switches: ['yes', 'json'], positions: ['id'] };
const read = (line: string, more = {}) => readArguments(line.split(' ').filter(Boolean), { ...EXPECTED, ...more });

describe('arguments', () => {
  test('are flags in either form, switches and positions, in any order', () => {
    const { values, switches, positions } = read('--name=Rex --yes 7 --scopes a --scopes b,c');
    expect([[...values], [...switches], positions]).toEqual([
      [
        ['name', 'Rex'],
        ['scopes', 'a,b,c'],
      ],
      ['yes'],
      ['7'],
    ]);
    expect(read('--name -5 7').values.get('name')).toBe('-5');
    expect(read('7 --name=--json').values.get('name')).toBe('--json');
  });

  test.each([
    ['7 --name', '--name needs a value'],
    ['7 --name --yes', '--name needs a value; if the value is --yes, write --name=--yes'],
    ['7 --yes=false', '--yes takes no value'],
    ['7 --name a --name b', '--name was given twice'],
    ['7 --yes --yes', '--yes was given twice'],
    ['7 --nmae a', 'unknown flag --nmae; did you mean --name?'],
    ['7 8', 'unexpected argument "8"'],
    ['--yes', '<id> is missing'],
  ])('%s are refused', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });

  test('must include all required ones, but may omit an optional position', () => {
    expect(() => read('7', { required: ['name'] })).toThrow('--name is missing');
    expect(read('7 --name Rex', { required: ['name'] }).positions).toEqual(['7']);
    expect(read('', { isLastOptional: true }).positions).toEqual([]);
    expect(() => read('', { positions: ['a', 'b'], isLastOptional: true })).toThrow('<a> is missing');
  });

  test('that are refused refer to the help, on one line', () => {
    let refused: unknown;
    try {
      read('7 8\n', { hint: 'petstore pets\n --help' });
    } catch (error) {
      refused = error;
    }
    expect(refused).toMatchObject({ message: 'unexpected argument "8\\u000a"', hint: 'petstore pets\\u000a --help' });
  });
});
