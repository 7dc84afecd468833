import { FAILURES, type FailureCode } from '../../src/kernel/failure.ts';
import { ADVICE, STATUSES, type Status } from './failure-words.ts';

const INTRODUCTION = `# Errors

This page is generated from \`src/kernel/failure.ts\` by \`npm run generate\`.

Every error has the same body:

\`\`\`json
{ "code": "not_found", "message": "There is no pet 7. GET /pets lists the ids that exist.", "status": 404 }
\`\`\`

| field | meaning |
|---|---|
| \`code\` | for programs: one of the codes below. The meaning of a code never changes; later versions may add codes |
| \`message\` | for people: says what to fix; the wording may change at any time |
| \`status\` | the HTTP status code |

Every response has an \`X-Request-Id\`, which the operator can use to find the request in the log.

## Problem details

To get problem details (RFC 9457), send \`Accept: application/problem+json\`, or both media types with quality values, such as
\`application/json;q=0.9, application/problem+json\`. Every error under \`/v1\` then looks like the following example; other
responses do not change. If \`Accept\` does not prefer problem details, the body has the form shown above.

\`\`\`json
{
  "type": "https://petstore.example/docs/errors#invalid_request",
  "title": "${FAILURES.invalid_request.meaning}",
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

\`type\` is the address of the code's documentation, \`detail\` is the \`message\`, and \`instance\` is the \`X-Request-Id\`. \`errors\` contains
one entry for each invalid part of the request, so that a form can show the error next to its field:

| in \`errors\` | refers to |
|---|---|
| \`pointer\` | a body field, as a JSON Pointer in a URI fragment; \`#\` is the whole body |
| \`parameter\` | a query parameter |
| \`header\` | a header |

## Errors without a body

The underlying HTTP server rejects invalid HTTP and bodies larger than 16 MiB before they reach the API code. These responses have
a status and no body.
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

export const createErrorsPage = (): string => {
  const byStatus = Map.groupBy(Object.keys(FAILURES) as FailureCode[], (code) => FAILURES[code].status);
  const ordered = [...byStatus].sort(([a], [b]) => a - b);
  return [INTRODUCTION, ...ordered.map(([status, codes]) => section(status, codes))].join('\n');
};
