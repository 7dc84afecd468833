import { reads } from '../kernel/operation.ts';
import { answerPage } from '../kernel/page.ts';
import { spellTimePosition } from '../kernel/time-position.ts';
import { toAuditEntryBody } from './audit.ts';
import type { EventReads } from './events.store.ts';
import { listAuditContract } from './list-audit.contract.ts';

export const listAudit = reads(listAuditContract, async (stores: { events: EventReads }, { page }) => {
  const after = page.after && { occurredAt: page.after.at, id: page.after.id };
  const events = await stores.events.listAudited({ limit: page.limit + 1, order: page.order, after });
  return answerPage(events, page, {
    body: toAuditEntryBody,
    position: ({ occurredAt, id }) => spellTimePosition({ at: occurredAt, id }),
  });
});
