const integer = { type: 'integer', minimum: 0 };
const text = { type: 'string' };

/** Every header of an answer that a client may rely on. */
export const HEADERS = {
  'X-RateLimit-Limit': { description: 'The limit that applies to the caller.', required: true, schema: integer },
  'X-RateLimit-Remaining': {
    description: 'Requests remaining in the current window.',
    required: true,
    schema: integer,
  },
  'X-RateLimit-Reset': {
    description: 'Unix timestamp, in seconds, at which the limit resets.',
    required: true,
    schema: integer,
  },
  RateLimit: { description: 'What is left of every window, and for how many seconds.', required: true, schema: text },
  'RateLimit-Policy': { description: 'The size and length of every window.', required: true, schema: text },
  'X-Request-Id': { description: 'The id of this request, to quote in questions.', required: true, schema: text },
  'Retry-After': { description: 'Whole seconds to wait before the next try.', schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: text },
  ETag: { description: 'The version of the animal shown.', schema: text },
  'Idempotent-Replayed': { description: 'Says that the answer was given before.', schema: text },
  Location: { description: 'Where the new resource is.', schema: text },
  Link: { description: 'Related addresses (RFC 8288); `rel="next"` is the next page of a list.', schema: text },
  Deprecation: { description: 'Since when the operation is deprecated (RFC 9745).', schema: text },
  Sunset: { description: 'When the operation is removed (RFC 8594).', schema: text },
} as const;

/** Those that every answer carries. */
export const ANSWER_HEADERS = Object.entries(HEADERS)
  .filter(([, header]) => 'required' in header)
  .map(([name]) => name);
