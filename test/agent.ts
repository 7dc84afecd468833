import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Service } from './service.ts';

export const connectAgent = async (service: Service, key: string, path = '/mcp'): Promise<Client> => {
  const client = new Client({ name: 'agent', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(service.url(path)), { requestInit }));
  return client;
};
