/** An event as it is stored. */
export type StoredEvent = {
  storeId: bigint;
  sequence: bigint;
  id: string;
  type: string;
  occurredAt: number;
  data: string;
  actorKeyId: string | null;
  requestId: string | null;
  address: string | null;
  orderId: bigint | null;
};
