import { TAGS } from '../contracts.ts';
import type { Contract } from '../kernel/contract.ts';

export const createLlmsText = (contracts: readonly Contract[]): string => {
  const lineOf = ({ id, method, path, summary, scope }: Contract): string =>
    `- \`${method} /v1${path}\` (${id}): ${summary}. Requires ${scope === 'any key' ? 'any key' : `the ${scope} scope`}.`;
  const sections = TAGS.flatMap(({ name, description }) => {
    const own = contracts.filter(({ tag }) => tag === name);
    return own.length === 0 ? [] : [`## ${name}\n\n${description}\n\n${own.map(lineOf).join('\n')}`];
  });
  return `# Pet Store

> A JSON over HTTP interface to a pet store: pets, orders, categories, events and webhooks.

Every request carries an API key: \`Authorization: Bearer <API_KEY>\`. Responses show how many requests are left (\`RateLimit\`).
After a 429, wait for the number of seconds in \`Retry-After\`. An error is \`{code, message, status}\`, and the message says what to change.
The next page of a list is in \`Link: <…>; rel="next"\`. Send \`Idempotency-Key\` with every POST, so that you can retry it safely.

## Links

- [OpenAPI document](openapi.json): every operation, parameter and response
- [Reference](docs): the same information for people
- \`POST /mcp\`: the operations as Model Context Protocol (MCP) tools, with the same key

${sections.join('\n\n')}
`;
};
