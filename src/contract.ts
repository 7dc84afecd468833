import { listAuditContract } from './events/list-audit.contract.ts';
import type { Contract } from './kernel/contract.ts';
import { createKeyContract } from './keys/create-key.contract.ts';
import { getKeyContract } from './keys/get-key.contract.ts';
import { getMyKeyContract } from './keys/get-my-key.contract.ts';
import { listKeysContract } from './keys/list-keys.contract.ts';
import { revokeKeyContract } from './keys/revoke-key.contract.ts';
import { rotateKeyContract } from './keys/rotate-key.contract.ts';
import { updateKeyContract } from './keys/update-key.contract.ts';
import { createPetContract } from './pets/create-pet.contract.ts';
import { getInventoryContract } from './pets/get-inventory.contract.ts';
import { getPetContract } from './pets/get-pet.contract.ts';
import { listPetsContract } from './pets/list-pets.contract.ts';
import { resetSandboxContract } from './sandbox/reset-sandbox.contract.ts';
import { getKeyUsageContract } from './usage/get-key-usage.contract.ts';
import { getUsageContract } from './usage/get-usage.contract.ts';
import { listDeprecationsContract } from './usage/list-deprecations.contract.ts';

/** Everything the service promises, in the order in which people should meet it. */
export const CONTRACTS = [
  listPetsContract,
  createPetContract,
  getPetContract,
  getInventoryContract,
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
  listAuditContract,
  resetSandboxContract,
] as const;

/** Those that a service of this environment serves. */
export const contractsIn = (environment: 'production' | 'staging'): readonly Contract[] =>
  (CONTRACTS as readonly Contract[]).filter((contract) => (contract.environment ?? environment) === environment);

/** The navigation groups. */
export const TAGS = [
  { name: 'Pets', description: 'The animals of the store.' },
  { name: 'Store', description: 'What the store has and what it sells.' },
  { name: 'Keys', description: 'Who may call, how often, and what for. For the operator.' },
  { name: 'Usage', description: 'What has been called, and how much is left.' },
  { name: 'Audit', description: 'Who changed what. For the operator.' },
  { name: 'Sandbox', description: 'A store of one’s own to try things in. On staging only.' },
] as const;
