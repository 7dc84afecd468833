import { freePort } from '../../test/servers/server-process.ts';
import { ADMIN_KEY, createTestClock, type Service, startService } from '../../test/service.ts';
import { Petstore, PetstoreError, type PetstoreOptions, type RetryNote } from '../src/index.ts';
import { startFaultyProxy } from './faulty-proxy.ts';

/** The error that a call ends with; one that the client does not know is no answer to anything. */
export const failure = async (call: Promise<unknown>): Promise<PetstoreError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof PetstoreError) return error;
  throw error ?? new Error('it has not failed');
};

/** A service, a proxy before it that fails as it is told, and clients whose waits pass by the clock of the service. */
export const startPetstore = async (clock = createTestClock()) => {
  // A port that nobody else gets while it is restarted.
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
