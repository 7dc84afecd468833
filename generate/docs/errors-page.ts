import { FAILURES, type FailureCode } from '../../src/kernel/failure.ts';
import { ADVICE, STATUSES, type Status } from './failure-words.ts';

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
  "title": "The body or a header has a value that the operation does not accept.",
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

/** Generates the errors page from the service's own table of failures. */
export const createErrorsPage = (): string => {
  const byStatus = Map.groupBy(Object.keys(FAILURES) as FailureCode[], (code) => FAILURES[code].status);
  const ordered = [...byStatus].sort(([a], [b]) => a - b);
  return [INTRODUCTION, ...ordered.map(([status, codes]) => section(status, codes))].join('\n');
};
