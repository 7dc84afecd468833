import { ADMIN_KEY, type Service, startService } from '../../test/service.ts';
import { Petstore, type PetstoreOptions, type RetryNote } from '../src/index.ts';
import { startFaultyProxy } from './faulty-proxy.ts';

/** A service, a proxy before it that fails as it is told, and clients whose waits pass by the clock of the service. */
export const startPetstore = async () => {
  const service: Service = await startService({ environment: { PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' } });
  const proxy = await startFaultyProxy(() => service.port as number);
  const waits: number[] = [];
  const retries: RetryNote[] = [];
  const runtime = {
    random: () => 0.5,
    sleep: async (ms: number) => {
      waits.push(ms);
      service.clock.advance(ms);
    },
  };
  const create = <Big extends boolean = false>(options: Partial<PetstoreOptions<Big>> = {}): Petstore<Big> =>
    new Petstore<Big>({
      key: ADMIN_KEY,
      baseUrl: proxy.baseUrl,
      onRetry: (note) => retries.push(note),
      ...options,
      runtime: { ...runtime, ...options.runtime },
    });
  return {
    service,
    proxy,
    create,
    /** How long clients have waited, in their order. */
    waits,
    retries,
    /** Forgets what was seen: for the next test. */
    reset() {
      for (const list of [waits, retries, proxy.seen, proxy.faults]) list.length = 0;
    },
    async stop() {
      await proxy.stop();
      await service.stop();
    },
  };
};
