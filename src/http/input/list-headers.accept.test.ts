import { expect, test } from 'bun:test';
import { prefersProblem } from './list-headers.ts';

const PREFERRED = [
  'application/problem+json',
  'Application/Problem+JSON',
  'application/problem+json; charset=utf-8',
  'application/problem+json;q=0.001',
  'application/json;q=0.9, application/problem+json',
  'application/problem+json, application/json;q=0.9',
  'application/problem+json;q=0.5, application/json;q=0.499',
  'application/json ; q=0.5 , application/problem+json ; q=0.8',
  'application/problem+json, */*;q=0.1',
  'application/problem+json, application/*;q=0.5',
  'application/problem+json;q=0.2, application/json;q=0',
  'text/html, application/problem+json;q=0.4',
  '*/*, application/json;q=0.5',
  'application/json;q=0, application/*',
  'application/*;q=0.9, */*;q=0.1, application/json;q=0.2',
  'application/json;profile="a, b;q=1";q=0.3, application/problem+json;q=0.4',
  ',, application/problem+json ,',
];

test.each(PREFERRED)('problem details are preferred by Accept: %s', (accept) => {
  expect(prefersProblem(accept)).toBeTrue();
});

const NOT_PREFERRED = [
  '',
  '*/*',
  '*/*;q=0.1',
  'application/*',
  'application/json',
  'text/html',
  'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8',
  'application/json, application/problem+json',
  'application/problem+json, application/json',
  'application/problem+json, */*',
  'application/problem+json;q=0.7, application/json;q=0.7',
  'application/problem+json;q=0.7, application/json;q=0.701',
  'application/problem+json;q=0',
  'application/problem+json;q=0, application/json;q=0',
  'application/problem+json;q=2',
  'application/problem+json;q=high',
  'application/problem+json;q=0.1, */*;q=0.2',
  'application/problem+xml',
  'application/problem',
  'problem+json',
  `${'text/html, '.repeat(100)}application/problem+json`,
];

test.each(NOT_PREFERRED)('plain JSON is the response to Accept: %s', (accept) => {
  expect(prefersProblem(accept)).toBeFalse();
});

test('plain JSON is the response without Accept', () => {
  expect(prefersProblem(null)).toBeFalse();
});
