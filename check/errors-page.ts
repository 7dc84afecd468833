import { FAILURES, type FailureCode } from '../src/kernel/failure.ts';

type Status = (typeof FAILURES)[FailureCode]['status'];

/** Complete by type: a status or a code without its words does not compile. */
const STATUSES: Record<Status, { title: string; headers?: string }> = {
  400: { title: 'Bad Request' },
  401: { title: 'Unauthorized', headers: '`WWW-Authenticate` says how to authenticate.' },
  403: { title: 'Forbidden' },
  404: { title: 'Not Found' },
  405: { title: 'Method Not Allowed' },
  409: { title: 'Conflict' },
  410: { title: 'Gone', headers: '`Link` with `rel="successor-version"` names what took its place.' },
  412: { title: 'Precondition Failed' },
  413: { title: 'Content Too Large' },
  415: { title: 'Unsupported Media Type' },
  422: { title: 'Unprocessable Content' },
  429: { title: 'Too Many Requests', headers: '`Retry-After` is the whole seconds until requests are taken again.' },
  500: { title: 'Internal Server Error' },
  503: { title: 'Service Unavailable', headers: '`Retry-After` is the whole seconds to wait before the next try.' },
};

const ADVICE: Record<FailureCode, string> = {
  invalid_json: 'Send JSON, encoded as UTF-8, within the bounds that the message names.',
  invalid_request: 'Correct what the message names; it lists every field that is wrong.',
  invalid_parameter: 'Correct the parameter that the message names.',
  invalid_cursor: 'Start again at the first page, and take cursors only from the `Link` header.',
  missing_api_key: 'Send `Authorization: Bearer <API_KEY>`.',
  invalid_api_key: 'Check the key, or ask the operator for a new one. Do not retry with the same key.',
  insufficient_scope: 'Use a key that has the scope the message names.',
  not_found: 'Check the id. What belongs to another store is not found either.',
  route_not_found: 'Check the path against `/openapi.json`; a trailing slash makes another path.',
  method_not_allowed: 'Use one of the methods in `Allow`.',
  pet_not_available: 'Choose another animal.',
  pet_reserved: 'Change the animal through its order, or wait until the order ends.',
  invalid_status_transition: 'Read the present status, and decide again.',
  idempotency_in_progress: 'Wait a moment and send the same request again.',
  admin_key: 'Set `PETSTORE_ADMIN_KEY` and restart the service to replace the admin key.',
  operation_removed: 'Use the operation that took its place.',
  precondition_failed: 'Read the row again, apply the change to what it is now, and send the new `ETag`.',
  payload_too_large: 'Send a smaller body.',
  unsupported_media_type: 'Send `Content-Type: application/json`, and no `Content-Encoding`.',
  idempotency_key_reused: 'Use a new idempotency key for every new request.',
  rate_limit_exceeded: 'Wait for `Retry-After`; back off exponentially if it happens again.',
  daily_quota_exceeded: 'Wait for `Retry-After`, or ask the operator for a larger plan.',
  api_key_banned: 'Stop, and wait for `Retry-After`. Requests during a ban do not prolong it.',
  too_many_streams: 'Close a stream, or wait for `Retry-After`. Ask the operator for a larger plan if you need more.',
  internal_error: 'Report the `X-Request-Id`. A read may be tried again; a write may or may not have happened.',
  unavailable: 'Wait for `Retry-After` and send the request again.',
};

const INTRODUCTION = `# Errors

This page is generated from \`src/kernel/failure.ts\` by \`npm run generate\`.

Every refusal has the same body:

\`\`\`json
{ "code": "not_found", "message": "There is no pet 7.", "status": 404 }
\`\`\`

\`code\` is one of the words below: programs decide by it, and it keeps its meaning. \`message\` is for people, names what to
change, and may be worded differently tomorrow. \`status\` repeats the HTTP status. Every answer has an \`X-Request-Id\`, by
which the operator finds it in the log.

A client that would rather have problem details (RFC 9457) says so: \`Accept: application/problem+json\`, or both media types
with qualities, as in \`application/json;q=0.9, application/problem+json\`. Without a preference the body is the one above.
Below \`/v1\` every refusal then has this one, and answers that are no refusals are as ever:

\`\`\`json
{
  "type": "https://petstore.example/docs/errors#invalid_request",
  "title": "The body or a header holds values the operation does not take.",
  "status": 400,
  "detail": "name: must not be empty or only white space; categoryId: is required",
  "code": "invalid_request",
  "instance": "req_2wQbT7cEJ0mLq17zQWBuTSOo",
  "errors": [
    { "pointer": "#/name", "detail": "must not be empty or only white space" },
    { "pointer": "#/categoryId", "detail": "is required" }
  ]
}
\`\`\`

\`type\` is the address of the code's explanation, \`detail\` is the \`message\`, and \`instance\` is the \`X-Request-Id\`. \`errors\` is
there where something in particular is wrong: a field of the body (\`pointer\`, a JSON Pointer in the form of a URI fragment, \`#\` for the
body itself), a \`parameter\` of the query, or a \`header\`; so a form can show each beside its field.

What is not HTTP is refused by the server's parser, and a body above 16 MiB by the server itself, before there is a request
that could be answered: those two have a status and no body.
`;

const section = (status: Status, codes: readonly FailureCode[]): string => {
  const { title, headers } = STATUSES[status];
  const rows = codes.map((code) => `| \`${code}\` | ${FAILURES[code].meaning} | ${ADVICE[code]} |`);
  return [
    `## ${status} ${title}`,
    '',
    '| code | meaning | what to do |',
    '|---|---|---|',
    ...rows,
    ...(headers ? ['', headers] : []),
    '',
  ].join('\n');
};

/** The page of all refusals, from the table that makes them. */
export const createErrorsPage = (): string => {
  const byStatus = Map.groupBy(Object.keys(FAILURES) as FailureCode[], (code) => FAILURES[code].status);
  const ordered = [...byStatus].sort(([a], [b]) => a - b);
  return [INTRODUCTION, ...ordered.map(([status, codes]) => section(status, codes))].join('\n');
};
