import { parseJson } from '../src/kernel/json.ts';
import { readRows } from './database.ts';
import type { Ask, Service, TestResponse } from './service.ts';

type StoredEvent = {
  type: string;
  data: any;
  pet_id: number | null;
  order_id: number | null;
  actor_key_id: string | null;
  request_id: string | null;
};

export const createShop = (service: Service) => {
  const addPet = async (fields: object = {}, ask: Ask = {}): Promise<number> =>
    (await service.post('/v1/pets', { name: 'Rex', categoryId: 1, ...fields }, ask)).body.id;

  const order = (petId: unknown, ask: Ask = {}): Promise<TestResponse> =>
    service.post('/v1/store/orders', { petId }, ask);

  return {
    addPet,
    order,
    async orderTogether(petIds: readonly number[]): Promise<Record<string, number>> {
      const kinds = await Promise.all(
        petIds.map(async (petId) => {
          const { status, body } = await order(petId);
          return `${status} ${body.status === status ? body.code : body.status}`;
        }),
      );
      return Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]));
    },
    change: (petId: number, body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> =>
      service.call('PATCH', `/v1/pets/${petId}`, { body, headers }),

    async pet(petId: number) {
      const { body, headers } = await service.get(`/v1/pets?ids=${petId}`);
      return { ...body[0], version: headers.get('etag') };
    },

    async placed(): Promise<{ orderId: number; petId: number }> {
      const petId = await addPet();
      return { orderId: (await order(petId)).body.id, petId };
    },

    move: (orderId: unknown, verb: string, ask: Ask = {}): Promise<TestResponse> =>
      service.call('POST', `/v1/store/orders/${orderId}/${verb}`, ask),

    inventory: async () => (await service.get('/v1/store/inventory')).body,

    async events(where: string): Promise<StoredEvent[]> {
      const rows = await readRows(service.place, `SELECT * FROM events WHERE ${where} ORDER BY store_id, sequence`);
      return rows.map((row) => ({ ...row, data: parseJson(row.data) }));
    },
  };
};

export type Shop = ReturnType<typeof createShop>;
