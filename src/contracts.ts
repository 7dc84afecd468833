import type { Contract, Environment } from './kernel/contract.ts';
import { categoryOperations } from './resources/categories/operations.ts';
import { eventOperations } from './resources/events/operations.ts';
import { healthOperations } from './resources/health/operations.ts';
import { keyOperations } from './resources/keys/operations.ts';
import { orderOperations } from './resources/orders/operations.ts';
import { petOperations } from './resources/pets/operations.ts';
import { sandboxOperations } from './resources/sandbox/operations.ts';
import { usageOperations } from './resources/usage/operations.ts';
import { webhookOperations } from './resources/webhooks/operations.ts';

export const TAGS = [
  { name: 'Pets', description: "The store's pets." },
  { name: 'Store', description: 'Inventory and orders.' },
  { name: 'Categories', description: 'Pet categories.' },
  { name: 'Events', description: 'Changes in the store, as a list and as a live stream.' },
  { name: 'Webhooks', description: 'Endpoints that receive events.' },
  { name: 'Keys', description: 'API keys, with their scopes and limits. For operators.' },
  { name: 'Usage', description: 'Request counts, remaining limits and deprecated calls.' },
  { name: 'Audit', description: 'Changes to keys and webhooks. For operators.' },
  { name: 'Health', description: 'State of the service. For operators.' },
  { name: 'Sandbox', description: 'Your own store for testing. Staging only.' },
] as const;

const groupOf = ({ tag }: Contract): number => TAGS.findIndex(({ name }) => name === tag);

export const OPERATIONS = [
  ...orderOperations,
  ...petOperations,
  ...categoryOperations,
  ...eventOperations,
  ...webhookOperations,
  ...keyOperations,
  ...usageOperations,
  ...healthOperations,
  ...sandboxOperations,
].sort((a, b) => groupOf(a.contract) - groupOf(b.contract));

export const CONTRACTS: readonly Contract[] = OPERATIONS.map(({ contract }) => contract);

export const contractsIn = (environment: Environment): readonly Contract[] =>
  CONTRACTS.filter((contract) => (contract.environment ?? environment) === environment);

export { eventBodies as createSent } from './resources/events/event.body.ts';
