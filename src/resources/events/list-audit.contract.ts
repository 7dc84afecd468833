import { contract } from '../../kernel/contract.ts';
import { listOf } from '../../kernel/schema.ts';
import { auditEntryBody, auditPosition } from './audit.ts';

export const listAuditContract = contract({
  id: 'listAudit',
  method: 'GET',
  path: '/audit',
  command: 'audit list',
  tag: 'Audit',
  summary: 'List the audit trail',
  description:
    'Returns every change of a key or a webhook, in all stores, in the order of time: who, what, when, from where. The ' +
    'addresses of webhooks are shown with `keys:write` alone.',
  scope: 'ops:read',
  input: {},
  paged: auditPosition,
  answer: {
    status: 200,
    description: 'A page of the audit trail',
    body: listOf(auditEntryBody, { id: 'Audit', description: 'Changes of keys and webhooks.' }),
  },
  stability: 'beta',
});
