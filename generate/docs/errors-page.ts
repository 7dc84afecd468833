import { FAILURES, type FailureCode } from '../../src/kernel/failure.ts';
import { ADVICE, STATUSES, type Status } from './failure-words.ts';

const INTRODUCTION = `# Errors

This page is generated from \`src/kernel/failure.ts\` by \`npm run generate\`.

Every error response has the same body:

\`\`\`json
{ "code": "not_found", "message": "There is no pet 7.", "status": 404 }
\`\`\`

- \`code\` is one of the codes below. Use it in programs: its meaning never changes.
- \`message\` is for people. It says what to change, and its wording may change.
- \`status\` repeats the HTTP status.

Every response has an \`X-Request-Id\`. With it, the operator finds the request in the log.

## Problem details

To get problem details (RFC 9457) instead, send \`Accept: application/problem+json\`, or both media types with qualities:
\`application/json;q=0.9, application/problem+json\`. Every error below \`/v1\` then has this body; other responses do not change:

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

- \`type\` is the URL of the explanation of the code.
- \`detail\` is the \`message\`.
- \`instance\` is the \`X-Request-Id\`.
- \`errors\` lists invalid values, so that a form can show each error next to its field. An entry has a \`pointer\` to a field of the
  body (a JSON Pointer as a URI fragment; \`#\` is the body itself), a query \`parameter\`, or a \`header\`.

Two errors have a status and no body, because they occur before there is a request: input that is not HTTP, and a body above
16 MiB.
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

/** Generates the errors page from the service's own table of failures. */
export const createErrorsPage = (): string => {
  const byStatus = Map.groupBy(Object.keys(FAILURES) as FailureCode[], (code) => FAILURES[code].status);
  const ordered = [...byStatus].sort(([a], [b]) => a - b);
  return [INTRODUCTION, ...ordered.map(([status, codes]) => section(status, codes))].join('\n');
};
