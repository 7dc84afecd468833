import type { StoredEvent } from '../src/resources/events/event.ts';

export const sampleEvent = (sequence: number, type: StoredEvent['type'] = 'pet.created'): StoredEvent => ({
  storeId: 1n,
  sequence: BigInt(sequence),
  id: `evt_${sequence}`,
  type,
  occurredAt: 0,
  data: '{"object":{"id":9223372036854775807}}',
  actorKeyId: null,
  requestId: null,
  address: null,
  orderId: null,
  traceparent: null,
});
