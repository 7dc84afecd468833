type OrderStatus = 'placed' | 'approved' | 'delivered' | 'cancelled' | 'expired';

export type Order = {
  id: bigint;
  petId: bigint;
  status: OrderStatus;
  placedByKeyId: string;
  placedAt: number;
  updatedAt: number;
  expiresAt: number | null;
};
