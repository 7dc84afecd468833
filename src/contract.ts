import { createCategoryContract } from './categories/create-category.contract.ts';
import { getCategoryContract } from './categories/get-category.contract.ts';
import { listCategoriesContract } from './categories/list-categories.contract.ts';
import { updateCategoryContract } from './categories/update-category.contract.ts';
import { eventBody } from './events/event.ts';
import { listAuditContract } from './events/list-audit.contract.ts';
import { listEventsContract } from './events/list-events.contract.ts';
import { listPetHistoryContract } from './events/list-pet-history.contract.ts';
import { streamEventsContract } from './events/stream-events.contract.ts';
import type { Contract } from './kernel/contract.ts';
import type { Environment } from './kernel/environment.ts';
import { EVENT_TYPES } from './kernel/event.ts';
import { createKeyContract } from './keys/create-key.contract.ts';
import { getKeyContract } from './keys/get-key.contract.ts';
import { getMyKeyContract } from './keys/get-my-key.contract.ts';
import { listKeysContract } from './keys/list-keys.contract.ts';
import { revokeKeyContract } from './keys/revoke-key.contract.ts';
import { rotateKeyContract } from './keys/rotate-key.contract.ts';
import { updateKeyContract } from './keys/update-key.contract.ts';
import { approveOrderContract } from './orders/approve-order.contract.ts';
import { cancelOrderContract } from './orders/cancel-order.contract.ts';
import { deliverOrderContract } from './orders/deliver-order.contract.ts';
import { getOrderContract } from './orders/get-order.contract.ts';
import { listOrdersContract } from './orders/list-orders.contract.ts';
import { placeOrderContract } from './orders/place-order.contract.ts';
import { createPetContract } from './pets/create-pet.contract.ts';
import { deletePetContract } from './pets/delete-pet.contract.ts';
import { getInventoryContract } from './pets/get-inventory.contract.ts';
import { getPetContract } from './pets/get-pet.contract.ts';
import { listPetsContract } from './pets/list-pets.contract.ts';
import { updatePetContract } from './pets/update-pet.contract.ts';
import { resetSandboxContract } from './sandbox/reset-sandbox.contract.ts';
import { getKeyUsageContract } from './usage/get-key-usage.contract.ts';
import { getUsageContract } from './usage/get-usage.contract.ts';
import { listDeprecationsContract } from './usage/list-deprecations.contract.ts';
import { createWebhookContract } from './webhooks/create-webhook.contract.ts';
import { deleteWebhookContract } from './webhooks/delete-webhook.contract.ts';
import { getWebhookContract } from './webhooks/get-webhook.contract.ts';
import { listDeliveriesContract } from './webhooks/list-deliveries.contract.ts';
import { listWebhooksContract } from './webhooks/list-webhooks.contract.ts';
import { redeliverEventContract } from './webhooks/redeliver-event.contract.ts';
import { rotateWebhookSecretContract } from './webhooks/rotate-webhook-secret.contract.ts';
import { testWebhookContract } from './webhooks/test-webhook.contract.ts';
import { updateWebhookContract } from './webhooks/update-webhook.contract.ts';

/** Everything the service promises, in the order in which people should meet it. */
export const CONTRACTS = [
  listPetsContract,
  createPetContract,
  getPetContract,
  updatePetContract,
  deletePetContract,
  listPetHistoryContract,
  listCategoriesContract,
  createCategoryContract,
  getCategoryContract,
  updateCategoryContract,
  listOrdersContract,
  placeOrderContract,
  getOrderContract,
  approveOrderContract,
  deliverOrderContract,
  cancelOrderContract,
  getInventoryContract,
  listWebhooksContract,
  createWebhookContract,
  getWebhookContract,
  updateWebhookContract,
  deleteWebhookContract,
  testWebhookContract,
  rotateWebhookSecretContract,
  listDeliveriesContract,
  redeliverEventContract,
  listKeysContract,
  createKeyContract,
  getMyKeyContract,
  getKeyContract,
  updateKeyContract,
  revokeKeyContract,
  rotateKeyContract,
  getUsageContract,
  getKeyUsageContract,
  listDeprecationsContract,
  listEventsContract,
  streamEventsContract,
  listAuditContract,
  resetSandboxContract,
] as const;

/** Those that a service of this environment serves. */
export const contractsIn = (environment: Environment): readonly Contract[] =>
  (CONTRACTS as readonly Contract[]).filter((contract) => (contract.environment ?? environment) === environment);

/** What the service sends to webhooks. */
export const SENT = { types: EVENT_TYPES, body: eventBody } as const;

/** The navigation groups. */
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
