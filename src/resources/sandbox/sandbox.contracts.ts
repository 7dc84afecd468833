import { contract } from '../../kernel/contract.ts';

export const resetSandboxContract = contract('resetSandbox', 'POST', '/sandbox/reset', {
  command: 'sandbox reset',
  tag: 'Sandbox',
  summary: 'Reset the sandbox',
  description:
    "Replaces the pets, orders and categories in the caller's store with those of a new sandbox. Keys, " +
    'rate-limit windows, webhooks and past events are kept, and ids continue to increase. The response arrives when ' +
    'the reset is complete. Until then, changes to the store return 503, and lists can be incomplete. Writes ' +
    '`pet.deleted` and `pet.created` events for the pets. Staging only: in production, this path returns 404.',
  scope: 'pets:write',
  environment: 'staging',
  row: 'store',
  answer: { status: 204, description: 'Sandbox reset' },
  stability: 'beta',
});
