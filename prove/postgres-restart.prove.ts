import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { type Instance, type Instances, startInstances } from '../test/instances.ts';
import { lacks } from '../test/needs.ts';
import { type Postgres, startPostgres } from '../test/servers/postgres.ts';
import { waitFor } from '../test/wait-for.ts';
import { expectKept, expectServedThrough } from './kept.ts';
import { startLoad } from './load.ts';
import { proof, type Tell } from './proof.ts';

describe.skipIf(lacks('PostgreSQL'))('two instances under load, while PostgreSQL', () => {
  let server: Postgres;
  let running: Instances;
  let key: string;
  beforeAll(async () => {
    server = await startPostgres();
    running = await startInstances({ count: 2, server: server.url });
    ({ key } = await running.issueKey({ plan: 'enterprise', limits: { perMinute: 1_000_000, perDay: 1_000_000 } }));
  });
  afterAll(async () => {
    await running?.stop();
    await server?.remove();
  });

  const statusOf = async (instance: Instance, path: string) => (await instance.call('GET', path, { key: null })).status;

  const goThrough = async (tell: Tell, goAway: () => Promise<void>) => {
    const load = startLoad({ instances: running.instances, key, perSecond: 50 });
    await load.sent(50);
    await goAway();
    await load.refused(1);
    for (const instance of running.instances) {
      expect([await statusOf(instance, '/readyz'), await statusOf(instance, '/healthz')]).toEqual([503, 200]);
    }
    await server.restart();
    const backAt = performance.now();
    await load.served(backAt);
    const all = await load.stop();
    for (const instance of running.instances) {
      await waitFor('it is ready', async () => (await statusOf(instance, '/readyz')) === 200);
    }
    expect(expectServedThrough(tell, all, backAt).refused).toBeGreaterThan(0);
    await expectKept(tell, running.url, { all, again: await load.insist() });
  };

  proof('two instances whose PostgreSQL is killed and restarted lose nothing and repeat nothing', (tell) =>
    goThrough(tell, () => server.kill()),
  );

  proof('two instances whose PostgreSQL is shut down and restarted lose nothing and repeat nothing', (tell) =>
    goThrough(tell, () => server.stop('fast')),
  );
});
