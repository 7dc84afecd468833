import { expect, test } from 'bun:test';
import { collectErrors } from './failure-report.ts';

test('only errors are collected, each with the lines around it', () => {
  const { errors, read } = collectErrors();
  const lines = [
    '(pass) one',
    'said by a test',
    '(fail) two',
    '12 | expect(1)',
    'error: expected 1',
    ' at a.ts',
    ' 1 pass',
  ];
  for (const line of lines) read(line);
  expect(errors).toEqual(['12 | expect(1)\nerror: expected 1\n at a.ts']);
});

test('a long error keeps its first 60 lines', () => {
  const { errors, read } = collectErrors();
  read('error: long');
  for (let line = 0; line < 100; line++) read(`line ${line}`);
  read('(fail) long');
  expect(errors).toHaveLength(1);
  expect(errors[0]?.split('\n')).toHaveLength(60);
  expect(errors[0]).toStartWith('error: long\nline 0\n');
});
