import type { Contract, Environment } from './kernel/contract.ts';
import { categoryOperations } from './resources/categories/operations.ts';
import { eventBodies } from './resources/events/event.body.ts';
import { eventOperations } from './resources/events/operations.ts';
import { keyOperations } from './resources/keys/operations.ts';
import { orderOperations } from './resources/orders/operations.ts';
import { petOperations } from './resources/pets/operations.ts';
import { sandboxOperations } from './resources/sandbox/operations.ts';
import { usageOperations } from './resources/usage/operations.ts';
import { webhookOperations } from './resources/webhooks/operations.ts';

export const TAGS = [
  { name: 'Pets', description: 'The animals of the store.' },
  { name: 'Store', description: 'What the store has and what it sells.' },
  { name: 'Categories', description: 'What kinds of animals there are.' },
  { name: 'Events', description: 'What has happened, to read and to follow.' },
  { name: 'Webhooks', description: 'Endpoints that are told of events.' },
  { name: 'Keys', description: 'Who may call, how often, and what for. For the operator.' },
  { name: 'Usage', description: 'What has been called, and how much is left.' },
  { name: 'Audit', description: 'Who changed what. For the operator.' },
  { name: 'Sandbox', description: 'A store of one’s own to try things in. On staging only.' },
] as const;

const groupOf = ({ tag }: Contract): number => TAGS.findIndex(({ name }) => name === tag);

/** All operations by tag, each tag in the order of its folder's list. */
export const OPERATIONS = [
  ...orderOperations,
  ...petOperations,
  ...categoryOperations,
  ...eventOperations,
  ...webhookOperations,
  ...keyOperations,
  ...usageOperations,
  ...sandboxOperations,
].sort((a, b) => groupOf(a.contract) - groupOf(b.contract));

export const CONTRACTS: readonly Contract[] = OPERATIONS.map(({ contract }) => contract);

export const contractsIn = (environment: Environment): readonly Contract[] =>
  CONTRACTS.filter((contract) => (contract.environment ?? environment) === environment);

/** Schemas of the events sent to webhooks, by type. */
export const createSent = eventBodies;
