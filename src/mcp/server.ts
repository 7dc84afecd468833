import { ResourceNotFoundError, Server } from '@modelcontextprotocol/server';
import { TAGS } from '../contracts.ts';
import { loadDocument } from '../http/pages/document.ts';
import type { Contract, Scope } from '../kernel/contract.ts';
import { VERSION } from '../version.ts';
import { type ApiRequest, faultOf, toApiRequest, toToolResult } from './call-tool.ts';
import { createLlmsText } from './llms-text.ts';
import { createTools, type Document, type Tool } from './tool.ts';

/** A page of documentation that an agent may read. */
type Resource = { uri: string; name: string; description: string; mimeType: string; text: string };

/** The key that the agent acts for, and how its requests reach the service. */
export type Principal = { scopes: readonly Scope[]; send(request: ApiRequest): Promise<Response> };

const INSTRUCTIONS =
  'A pet store: pets, orders, categories, events and webhooks. The tools are those that the key may call. ' +
  'A list ends with the cursor of its next page. An error says what to change.';

const createResources = (contracts: readonly Contract[], document: object): Resource[] => [
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
    text: createLlmsText(contracts, TAGS),
  },
];

const mayCall = ({ contract }: Tool, { scopes }: Principal): boolean =>
  contract.scope === 'any key' || scopes.includes(contract.scope);

/** Creates an MCP server that shows what one key may do. */
const createMcpServer = (tools: readonly Tool[], resources: readonly Resource[], principal: Principal): Server => {
  const server = new Server(
    { name: 'petstore', version: VERSION },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );

  server.setRequestHandler('tools/list', () => ({
    tools: tools.filter((tool) => mayCall(tool, principal)).map(({ shown }) => shown),
  }));

  // Unlisted tools can be called too: the service refuses them and says why.
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = tools.find(({ shown }) => shown.name === params.name);
    const { arguments: given = {} } = params;
    const fault = tool ? faultOf(tool, given) : `There is no tool ${params.name}. tools/list lists the tools.`;
    if (!tool || fault) return { content: [{ type: 'text', text: fault ?? '' }], isError: true };
    const result = await toToolResult(await principal.send(toApiRequest(tool, given)));
    return server.projectCallToolResult(result, undefined);
  });

  server.setRequestHandler('resources/list', () => ({
    resources: resources.map(({ text: _, ...shown }) => shown),
  }));

  server.setRequestHandler('resources/read', async ({ params }) => {
    const resource = resources.find(({ uri }) => uri === params.uri);
    if (!resource) throw new ResourceNotFoundError(params.uri);
    return { contents: [{ uri: resource.uri, mimeType: resource.mimeType, text: resource.text }] };
  });

  return server;
};

/** Reads the document once, for the servers of all keys. */
export const createMcpServers = async (contracts: readonly Contract[]) => {
  const document = await loadDocument(contracts);
  const tools = createTools(document as object as Document, contracts);
  const resources = createResources(contracts, document);
  return (principal: Principal) => createMcpServer(tools, resources, principal);
};
