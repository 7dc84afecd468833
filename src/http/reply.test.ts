import { expect, test } from 'bun:test';
import { createEncoders, encodePage } from './reply.ts';

const createEncodePlain = () => createEncoders().plain;

const shown = (response: Response, name: string) => response.headers.get(name);

test('a response has its own headers and none of the previous response', () => {
  const encode = createEncodePlain();
  const first = encode({ status: 201, headers: { Location: '/1', ETag: '"1"' }, body: {} }, 'req_1');
  const second = encode({ status: 200, headers: { ETag: '"1"' }, body: {} }, 'req_2');
  const third = encode({ status: 204, headers: {} }, 'req_3');
  expect([first, second, third].map((response) => shown(response, 'Location'))).toEqual(['/1', null, null]);
  expect([first, second, third].map((response) => shown(response, 'ETag'))).toEqual(['"1"', '"1"', null]);
  expect([first, second, third].map((response) => shown(response, 'X-Request-Id'))).toEqual([
    'req_1',
    'req_2',
    'req_3',
  ]);
  expect(shown(third, 'Content-Type')).toBe(null);
});

test('a response that cannot be built leaves no header for the next one', () => {
  const encode = createEncodePlain();
  encode({ status: 200, headers: { ETag: '"1"' } }, 'req_1');
  const broken = { Sunset: 'soon', ETag: '"2"', Link: '\u0100' };
  expect(() => encode({ status: 200, headers: broken }, 'req_2')).toThrow();
  const next = encode({ status: 200, headers: { ETag: '"1"' } }, 'req_3');
  expect([shown(next, 'Sunset'), shown(next, 'ETag'), shown(next, 'Vary')]).toEqual([
    null,
    '"1"',
    'Authorization, Origin',
  ]);
});

test('a page has no header that is specific to API responses', () => {
  expect(shown(encodePage({ status: 404, headers: {} }, 'req_1'), 'Vary')).toBe(null);
});
