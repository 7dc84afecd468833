import { createTestClock, type Service, startService } from './service.ts';
import { waitFor } from './wait-for.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';

type Made = { id: string; path: string };

export const startWebhookBench = async () => {
  const clock = createTestClock();
  const receiver: Receiver = startReceiver(clock);
  const environment = { PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' };
  const service: Service = await startService({ environment, clock });
  let made = 0;

  return {
    clock,
    receiver,
    service,

    async add(fields: object = {}, key?: string): Promise<Made> {
      const path = `/hook-${made++}`;
      const url = receiver.url(path);
      const { status, body } = await service.post('/v1/webhooks', { url, ...fields }, key === undefined ? {} : { key });
      if (status !== 201) throw new Error(`cannot create a webhook: ${JSON.stringify(body)}`);
      receiver.secrets.set(path, body.secret);
      return { id: body.id, path };
    },

    async createPet(name = 'Rex', key?: string): Promise<number> {
      const ask = key === undefined ? {} : { key };
      const { status, body } = await service.post('/v1/pets', { name, categoryId: 1 }, ask);
      if (status !== 201) throw new Error(`cannot create a pet: ${JSON.stringify(body)}`);
      return body.id;
    },

    rename: (petId: number, name: string) => service.call('PATCH', `/v1/pets/${petId}`, { body: { name } }),

    async deliveries(id: string): Promise<any[]> {
      return (await service.get(`/v1/webhooks/${id}/deliveries?order=desc&limit=100`)).body;
    },

    async quiet(id: string): Promise<any[]> {
      const isDue = ({ nextAttemptAt }: any) => nextAttemptAt !== null && Date.parse(nextAttemptAt) <= clock();
      return waitFor(
        'nothing is due',
        () => this.deliveries(id),
        (kept) => !kept.some(isDue),
      );
    },

    async webhook(id: string): Promise<any> {
      return (await service.get(`/v1/webhooks/${id}`)).body;
    },

    async stop() {
      await receiver.down();
      await service.stop();
    },
  };
};

export type WebhookBench = Awaited<ReturnType<typeof startWebhookBench>>;
