import { TAGS } from '../contracts.ts';
import { loadDocument } from '../http/pages/document.ts';
import type { Contract } from '../kernel/contract.ts';
import { createLlmsText } from '../mcp/llms-text.ts';
import type { Principal, Resource } from '../mcp/server.ts';
import type { Document } from '../mcp/tool.ts';
import { VERSION } from '../version.ts';

/** Loads what agents use, and returns how to make a server for one of them. */
export const loadMcpServer = async (contracts: readonly Contract[]) => {
  const [{ createMcpServer }, { createTools }, document] = await Promise.all([
    import('../mcp/server.ts'),
    import('../mcp/tool.ts'),
    loadDocument(contracts),
  ]);
  const documentText = JSON.stringify(document);
  const resources: Resource[] = [
    {
      uri: 'petstore://openapi.json',
      name: 'OpenAPI document',
      description: 'Every operation, parameter and answer.',
      mimeType: 'application/json',
      read: async () => documentText,
    },
    {
      uri: 'petstore://llms.txt',
      name: 'Overview',
      description: 'What there is, in one page.',
      mimeType: 'text/markdown',
      read: async () => createLlmsText(contracts, TAGS),
    },
  ];
  const deps = { version: VERSION, tools: createTools(document as object as Document, contracts), resources };
  return (principal: Principal) => createMcpServer(deps, principal);
};
