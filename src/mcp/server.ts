import { ResourceNotFoundError, Server, type StandardSchemaV1 } from '@modelcontextprotocol/server';
import { suggest } from '../../cli/args/suggest.ts';
import { loadDocument } from '../http/pages/document.ts';
import type { Contract, Scope } from '../kernel/contract.ts';
import { VERSION } from '../version.ts';
import { type ApiRequest, faultOf, type Tool, toApiRequest, toToolError, toToolResult } from './call-tool.ts';
import { createLlmsText } from './llms-text.ts';

export type Principal = {
  scopes: readonly Scope[];
  listsDeprecated: boolean;
  isProduction?: boolean;
  send(request: ApiRequest): Promise<Response>;
};

const INSTRUCTIONS =
  'A pet store: pets, orders, categories, events and webhooks. Only the tools that the key may call are listed. ' +
  'A page has 20 rows by default and 100 at most (`limit`), and ends with the `cursor` of the next page. ' +
  'Calls with the same `Idempotency-Key` run only once. Error messages name the next step.';

const createResources = (contracts: readonly Contract[], document: object) => [
  {
    uri: 'petstore://openapi.json',
    name: 'OpenAPI document',
    description: 'Every operation, parameter and response.',
    mimeType: 'application/json',
    text: JSON.stringify(document),
  },
  {
    uri: 'petstore://llms.txt',
    name: 'Overview',
    description: 'All operations on one page.',
    mimeType: 'text/markdown',
    text: createLlmsText(contracts),
  },
];

const isListed = ({ contract }: Tool, { scopes, listsDeprecated, isProduction }: Principal): boolean =>
  (contract.scope === 'any key' || scopes.includes(contract.scope)) &&
  (listsDeprecated || !contract.deprecation) &&
  !(isProduction && contract.environment === 'staging');

const refuseTool = (name: string, tools: readonly Tool[]): string => {
  const names = tools.map(({ shown }) => shown.name);
  const meant = suggest(name, names);
  return `There is no tool ${name}. ${meant ? `Did you mean ${meant}?` : 'Call tools/list to see the tools.'}`;
};

type Call = { name: string; arguments?: Record<string, unknown> };

// Skips the library's own validation, which drops an argument named `__proto__`. Our own check must see and refuse it.
const AS_SENT: StandardSchemaV1<Call> = {
  '~standard': { version: 1, vendor: 'petstore', validate: (value) => ({ value: value as Call }) },
};

const loadTools = async (contracts: readonly Contract[]): Promise<Tool[]> => {
  const { default: tools } = (await import('./tools.json')) as object as { default: Record<string, Tool> };
  return contracts.filter(({ id }) => id in tools).map((contract) => ({ ...(tools[contract.id] as Tool), contract }));
};

export const createMcpServers = async (contracts: readonly Contract[]) => {
  const resources = createResources(contracts, await loadDocument(contracts));
  const tools = await loadTools(contracts);
  const callable = tools.map(({ contract }) => contract);

  return (principal: Principal): Server => {
    const server = new Server(
      { name: 'petstore', version: VERSION },
      { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
    );

    server.setRequestHandler('tools/list', () => ({
      tools: tools.filter((tool) => isListed(tool, principal)).map(({ shown }) => shown),
    }));

    // An agent may also call a tool that is not listed. Deprecated tools still work, and if a call is not allowed, the
    // API explains why.
    server.setRequestHandler('tools/call', { params: AS_SENT }, async ({ name, arguments: given = {} }) => {
      const tool = tools.find(({ shown }) => shown.name === name);
      const fault = tool ? faultOf(tool, given) : refuseTool(name, tools);
      if (!tool || fault) return toToolError(fault ?? '');
      const result = await toToolResult(await principal.send(toApiRequest(tool, given)), callable);
      return server.projectCallToolResult(result, tool.shown.outputSchema);
    });

    server.setRequestHandler('resources/list', () => ({ resources: resources.map(({ text: _, ...shown }) => shown) }));

    server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
      const resource = resources.find((one) => one.uri === uri);
      if (!resource) throw new ResourceNotFoundError(uri);
      return { contents: [{ uri, mimeType: resource.mimeType, text: resource.text }] };
    });

    return server;
  };
};
