import { contract } from '../../kernel/contract.ts';
import { keyBody, keyIdText } from './key.body.ts';

export const unbanKeyContract = contract({
  id: 'unbanKey',
  method: 'POST',
  path: '/keys/{keyId}/unban',
  command: 'keys unban',
  tag: 'Keys',
  summary: 'Lift the ban of a key',
  description:
    'Ends the ban of a key, as if it had never begun: the refusals that led to it are forgotten, and the next ban lasts 2 ' +
    'minutes again. The windows stay as they are. A key without a ban is returned as it is. ' +
    'Writes `key.unbanned`.',
  scope: 'keys:write',
  input: { path: { keyId: keyIdText } },
  answer: { status: 200, description: 'The key, without a ban', body: keyBody },
  stability: 'beta',
});
