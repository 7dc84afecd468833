import { contract } from '../../kernel/contract.ts';

export const resetSandboxContract = contract({
  id: 'resetSandbox',
  method: 'POST',
  path: '/sandbox/reset',
  command: 'sandbox reset',
  tag: 'Sandbox',
  summary: 'Reset the sandbox',
  description:
    'Restores the pets, orders and categories of a new sandbox in the caller’s store. Keys, limit windows, webhooks and ' +
    'past events stay, and ids continue to increase. The response arrives when the reset is complete. Until then, changes ' +
    'in the store get 503, and lists show the rows that are left. Writes `pet.deleted` and `pet.created` for the pets. ' +
    'On staging only: in production, this path is a 404.',
  scope: 'pets:write',
  environment: 'staging',
  input: {},
  row: 'store',
  answer: { status: 204, description: 'Sandbox reset' },
  stability: 'beta',
});
