import { afterAll, describe, expect } from 'bun:test';
import { join } from 'node:path';
import { lacks } from '../test/needs.ts';
import { createWorkbench, PROGRAM } from '../test/program.ts';
import { startPostgres } from '../test/servers/postgres.ts';
import { startRedis } from '../test/servers/redis.ts';
import { waitFor } from '../test/wait-for.ts';
import { findPlanted, readAll } from './planted.ts';
import { proof, type Tell } from './proof.ts';
import { createCaller, lookAround, misplace } from './secrets-caller.ts';

const bench = createWorkbench();
const ends: (() => unknown)[] = [];
afterAll(async () => {
  await bench.clear();
  for (const end of ends) await end();
});

const plant = (name: string): string => `${name}-${crypto.randomUUID()}`;

const startTaker = () => {
  const taken = { traces: '', deliveries: '' };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const text = await request.text();
      if (pathname.startsWith('/v1/traces')) taken.traces += text;
      else taken.deliveries += `${JSON.stringify([...request.headers])}${text}`;
      return new Response('{}');
    },
  });
  ends.push(() => server.stop(true));
  return { taken, url: `http://127.0.0.1:${server.port}` };
};

type Planted = { environment: Record<string, string>; secrets: Record<string, string>; breaks?(): Promise<void> };

const runWith = async ({ environment, secrets: given, breaks }: Planted) => {
  const adminKey = plant('admin');
  const traceKey = plant('trace');
  const { taken, url } = startTaker();
  const directory = bench.directory();
  const settings = {
    ...environment,
    PETSTORE_ADMIN_KEY: adminKey,
    PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-trace-key=${traceKey}`,
  };
  const program = bench.start({ directory, environment: settings });
  const caller = createCaller(await program.origin(), adminKey);
  const issued = await caller.askOnce('/v1/keys', { name: 'planted', plan: 'business', storeId: 1 });
  const rotated = await caller.askOnce(`/v1/keys/${issued.id}/rotate`, { graceSeconds: 600 });
  const hook = await caller.askOnce('/v1/webhooks', { url: `${url}/hook` });
  const turned = await caller.askOnce(`/v1/webhooks/${hook.id}/rotate-secret`, {});
  const keys = { 'admin key': adminKey, 'issued key': issued.key, 'rotated key': rotated.key };
  const hooks = { 'webhook secret': hook.secret, 'rotated webhook secret': turned.secret };
  expect(Object.values({ ...keys, ...hooks }).every((secret) => typeof secret === 'string')).toBe(true);

  const once = { 'Idempotency-Key': 'once' };
  for (const _ of [1, 2]) {
    await caller.ask('/v1/pets', {
      method: 'POST',
      key: issued.key,
      headers: once,
      body: { name: 'Rex', categoryId: 1 },
    });
  }
  await waitFor('an event is delivered', () => taken.deliveries.includes('pet.created'));
  for (const secret of Object.values(keys)) await misplace(caller, secret);
  await lookAround(caller, { keyId: issued.id, hookId: hook.id });
  await breaks?.();
  if (breaks) await caller.ask('/v1/pets', { method: 'POST', body: { name: 'Late', categoryId: 1 } });
  await waitFor('traces are sent', () => taken.traces.length > 0);
  const doctor = await bench.start({ directory, environment: settings, command: [...PROGRAM, 'doctor'] }).ended();
  const backup = await bench
    .start({ directory, environment: settings, command: [...PROGRAM, 'backup', 'copy.db'] })
    .ended();
  program.signal('SIGTERM');
  const { out, err } = await program.ended();
  return {
    directory,
    secrets: { ...keys, ...hooks, ...given, 'key of the traces': traceKey },
    hooks: Object.keys(hooks),
    places: {
      log: out,
      errors: err,
      answers: caller.kept.text,
      ...taken,
      doctor: `${doctor.out}${doctor.err}`,
      'the backup command': `${backup.out}${backup.err}`,
    },
  };
};

const tellFound = ({ figure }: Tell, secrets: object, places: Record<string, string>): void => {
  const sizes = Object.entries(places).map(([place, text]) => `${place} ${Math.ceil(text.length / 1024)} KiB`);
  figure(`${Object.keys(secrets).length} secrets searched for in ${sizes.join(', ')}`);
};

proof(
  'no secret appears in the output or files of a run on SQLite, except webhook secrets, which are needed to sign',
  async (tell) => {
    const run = await runWith({ environment: {}, secrets: {} });
    const places = {
      ...run.places,
      database: readAll(join(run.directory, 'data')),
      backup: await Bun.file(join(run.directory, 'copy.db')).text(),
    };
    tellFound(tell, run.secrets, places);
    const stored = run.hooks.flatMap((name) => ['database', 'backup'].map((place) => `${name} in ${place}`));
    expect(findPlanted(run.secrets, places).sort()).toEqual(stored.sort());
  },
);

describe.skipIf(lacks('PostgreSQL') || lacks('Redis'))('on servers', () => {
  proof(
    'no secret appears in the output or files of a run on PostgreSQL and Redis, or in these servers, except webhook secrets',
    async (tell) => {
      const [databasePassword, redisPassword] = [plant('database'), plant('redis')];
      const postgres = await startPostgres();
      const redis = await startRedis({ appendOnly: true });
      ends.push(postgres.remove, redis.remove);
      const url = (await postgres.createDatabase()).replace('//petstore@', `//petstore:${databasePassword}@`);
      const run = await runWith({
        environment: { DATABASE_URL: url, REDIS_URL: redis.url.replace('//', `//:${redisPassword}@`) },
        secrets: { 'password of the database': databasePassword, 'password of Redis': redisPassword },
        async breaks() {
          await redis.kill();
          await postgres.stop('immediate');
        },
      });
      await postgres.restart();
      await postgres.stop();
      const places = { ...run.places, PostgreSQL: readAll(postgres.directory), Redis: readAll(redis.directory) };
      tellFound(tell, run.secrets, places);
      expect(findPlanted(run.secrets, places).sort()).toEqual(run.hooks.map((name) => `${name} in PostgreSQL`).sort());
    },
  );
});
