import { contract } from '../../kernel/contract.ts';

export const resetSandboxContract = contract({
  id: 'resetSandbox',
  method: 'POST',
  path: '/sandbox/reset',
  command: 'sandbox reset',
  tag: 'Sandbox',
  summary: 'Reset the sandbox',
  description:
    'Brings animals, orders and categories of the caller’s store back to how a new sandbox has them. Keys, windows, ' +
    'webhooks and past events stay, and ids go on rising. The answer comes when it is done. Until then changes in the ' +
    'store are refused with 503, and lists show what is left. Writes `pet.deleted` and `pet.created` for the animals. ' +
    'On staging only: in production there is no such path.',
  scope: 'pets:write',
  environment: 'staging',
  input: {},
  row: 'store',
  answer: { status: 204, description: 'The store is as new' },
  stability: 'beta',
});
