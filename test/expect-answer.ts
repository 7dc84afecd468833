import { expect } from 'bun:test';
import { problemBody } from '../generate/openapi/error-bodies.ts';
import { FAILURES, type FailureCode } from '../src/kernel/failure.ts';
import type { TestResponse } from './service.ts';

export const expectSharedHeaders = ({ headers }: TestResponse): void => {
  expect(headers.get('x-ratelimit-limit')).toMatch(/^[1-9]\d*$/);
  expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  expect(headers.get('x-ratelimit-reset')).toMatch(/^[1-9]\d*$/);
  expect(headers.get('ratelimit-policy')).toMatch(/^"minute";q=\d+;w=60(, "day";q=\d+;w=86400)?$/);
  expect(headers.get('ratelimit')).toMatch(/^"minute";r=\d+;t=\d+(, "day";r=\d+;t=\d+)?$/);
  expect(headers.get('x-request-id')).toMatch(/^req_[0-9A-Za-z]{24}$/);
  expect(headers.get('cache-control')).toBe('private, no-cache');
  expect(headers.get('vary')).toBe('Authorization, Origin');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
};

export const expectError = ({ status, headers, body }: TestResponse, code: string, expected: number): void => {
  expect({ status, code: body?.code }).toEqual({ status: expected, code });
  expect(headers.get('content-type')).toBe('application/json');
  expect(body).toEqual({ code, message: expect.stringMatching(/\S/), status: expected });
};

export const expectProblem = ({ status, headers, body }: TestResponse, code: FailureCode) => {
  const expected = FAILURES[code];
  expect({ status, code: body?.code }).toEqual({ status: expected.status, code });
  expect(headers.get('content-type')).toBe('application/problem+json');
  const { errors, ...rest } = problemBody.strict().parse(body);
  expect(rest).toEqual({
    type: expect.stringMatching(new RegExp(`^(https?://[^/]+)?/docs/errors#${code}$`)),
    title: expected.meaning,
    status: expected.status,
    detail: expect.stringMatching(/\S/),
    code,
    instance: String(headers.get('x-request-id')),
  });
  return errors;
};
