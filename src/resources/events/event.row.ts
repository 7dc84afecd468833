import type { RowOf } from '../../kernel/row.ts';
import type { StoredEvent } from './event.ts';

export type EventRow = RowOf<StoredEvent>;

export const EVENT_COLUMNS =
  'store_id, sequence, id, type, occurred_at, data, actor_key_id, request_id, address, order_id, traceparent';

export const eventColumns = (table: string): string => EVENT_COLUMNS.replaceAll(/\w+/g, `${table}.$&`);

export const toStoredEvent = (row: EventRow): StoredEvent => ({
  storeId: row.store_id,
  sequence: row.sequence,
  id: row.id,
  type: row.type,
  occurredAt: Number(row.occurred_at),
  data: row.data,
  actorKeyId: row.actor_key_id,
  requestId: row.request_id,
  address: row.address,
  orderId: row.order_id,
  traceparent: row.traceparent,
});
