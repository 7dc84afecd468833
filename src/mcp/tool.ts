import type { Contract } from '../kernel/contract.ts';

export type Place = 'path' | 'query' | 'body' | 'header';

export type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema };

type ObjectSchema = Schema & { type: 'object' };

export type Tool = {
  contract: Contract;
  places: Record<string, Place>;
  shown: { name: string; description: string; inputSchema: ObjectSchema; outputSchema?: ObjectSchema };
};

export const loadTools = async (contracts: readonly Contract[]): Promise<Tool[]> => {
  const { default: tools } = (await import('./tools.json')) as object as { default: Record<string, Tool> };
  return contracts.filter(({ id }) => id in tools).map((contract) => ({ ...(tools[contract.id] as Tool), contract }));
};
