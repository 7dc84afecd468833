import { reads } from '../../kernel/operation.ts';
import { answerPage } from '../../kernel/page.ts';
import { formatAuditPosition, toAuditEntryBody, toMaskedEntryBody } from './audit.ts';
import { listAuditContract } from './events.contracts.ts';
import type { EventReads } from './events.repository.ts';

export const listAudit = reads(listAuditContract, async (repositories: { events: EventReads }, { page }, call) => {
  const events = await repositories.events.listAudited({ ...page, limit: page.limit + 1 });
  const body = call.scopes.includes('keys:write') ? toAuditEntryBody : toMaskedEntryBody;
  return answerPage(events, page, { body, position: formatAuditPosition });
});
