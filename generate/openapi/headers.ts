import type { DocumentedHeader } from '../../src/http/reply.ts';

/** 32 bits would not be enough: rate limits have no upper bound, and Unix timestamps will exceed 2^31 in 2038. */
const int64 = (example: number) => ({ type: 'integer', format: 'int64', minimum: 0, examples: [example] });
const text = (example: string) => ({ type: 'string', examples: [example] });

export const HEADERS: Record<DocumentedHeader, { description: string; required?: true; schema: object }> = {
  'X-RateLimit-Limit': { description: 'The limit that applies to the caller.', required: true, schema: int64(300) },
  'X-RateLimit-Remaining': {
    description: 'Requests remaining in the current window.',
    required: true,
    schema: int64(288),
  },
  'X-RateLimit-Reset': {
    description: 'Unix timestamp, in seconds, at which the limit resets.',
    required: true,
    schema: int64(1794700860),
  },
  RateLimit: {
    description: 'For each window: requests left (`r`) and seconds until it resets (`t`).',
    required: true,
    schema: text('"minute";r=288;t=31, "day";r=9700;t=40210'),
  },
  'RateLimit-Policy': {
    description: 'For each window: maximum requests (`q`) and length in seconds (`w`).',
    required: true,
    schema: text('"minute";q=300;w=60, "day";q=10000;w=86400'),
  },
  'X-Request-Id': {
    description: 'The id of this request. Quote it when you ask for help.',
    required: true,
    schema: text('req_4fJq0Zy8wB2mT6xLk1NvR9cS'),
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request, as a whole number.',
    schema: { type: 'integer', minimum: 1, examples: [31] },
  },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: text('Bearer realm="petstore"') },
  ETag: { description: 'The version of the returned pet.', schema: text('"7"') },
  'Idempotent-Replayed': {
    description: 'Present if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: { description: 'The address of the new resource.', schema: text('/v1/pets/7') },
  Link: {
    description: 'Related URLs (RFC 8288); `rel="next"` is the next page of a list.',
    schema: text('</v1/pets?limit=20>; rel="first"'),
  },
  Deprecation: {
    description: 'When the operation was deprecated, in Unix seconds (RFC 9745).',
    schema: text('@1794700800'),
  },
  Sunset: {
    description: 'When the operation will be removed (RFC 8594).',
    schema: text('Thu, 05 Dec 2030 00:00:00 GMT'),
  },
};

export const ANSWER_HEADERS = Object.entries(HEADERS)
  .filter(([, { required }]) => required)
  .map(([name]) => name);
