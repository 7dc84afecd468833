import { freePort } from '../../test/servers/server-process.ts';
import { ADMIN_KEY, createTestClock, type Service, startService } from '../../test/service.ts';
import { Petstore, PetstoreError, type PetstoreOptions, type RetryNote } from '../src/index.ts';
import { startFaultyProxy } from './faulty-proxy.ts';

export const failure = async (call: Promise<unknown>): Promise<PetstoreError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof PetstoreError) return error;
  throw error ?? new Error('it has not failed');
};

/** Starts a service and a client. Before a retry, the client advances the test clock instead of waiting. */
export const startPetstore = async (clock = createTestClock()) => {
  // The port is fixed, so that the service has the same address after a restart.
  const environment = { PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true', PORT: String(await freePort()) };
  const service: Service = await startService({ environment, clock });
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
  const create = (options: Partial<PetstoreOptions> = {}): Petstore =>
    new Petstore({
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
    waits,
    retries,
    reset() {
      for (const list of [waits, retries, proxy.seen, proxy.faults]) list.length = 0;
    },
    async stop() {
      await proxy.stop();
      await service.stop();
    },
  };
};
