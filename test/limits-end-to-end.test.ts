import { afterAll, describe, expect, test } from 'bun:test';
import { inTime } from './in-time.ts';
import { createLimitProbe, SECOND, shown } from './limit-probe.ts';
import { createWorkbench, PROGRAM, savedAdminKey } from './program.ts';
import { startService, type TestResponse } from './service.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const PER_MINUTE = 300;
const PATIENCE_MS = 600_000;

const setUp = async () => {
  const directory = bench.directory();
  const program = bench.start({ directory });
  const origin = await program.origin();
  const adminKey = savedAdminKey(directory);

  const command = async (key: string, ...args: string[]) => {
    const environment = { PETSTORE_URL: origin, PETSTORE_API_KEY: key };
    const { exitCode, out, err } = await bench
      .start({ directory: bench.directory(), command: [...PROGRAM, ...args, '--json'], environment })
      .ended();
    expect({ exitCode, err: err.replace(/^\{"note":"next page: --cursor \S+"\}\n$/, '') }).toEqual({
      exitCode: 0,
      err: '',
    });
    return JSON.parse(out);
  };

  return {
    adminKey,
    command,
    issueProKey: (name: string): Promise<{ id: string; key: string }> =>
      command(adminKey, 'keys', 'create', '--name', name, '--plan', 'pro'),
    ask: (key: string) => fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${key}` } }),
  };
};

const codeOf = async (answer: Response): Promise<string> =>
  answer.ok ? 'admitted' : ((await answer.json()) as { code: string }).code;

describe('starting from an empty directory', () => {
  test(
    'a pro key reaches its limit, then a ban, and both are in its usage and the audit trail',
    async () => {
      const { adminKey, command, issueProKey, ask } = await setUp();
      await inTime(60 * SECOND, async () => {
        const { id, key } = await issueProKey('Front desk');

        for (let sent = 1; sent <= PER_MINUTE; sent += 1) {
          const answer = await ask(key);
          expect(answer.status).toBe(200);
          expect(shown(answer)).toMatchObject({ limit: PER_MINUTE, remaining: PER_MINUTE - sent });
        }

        const askedAt = Date.now();
        const refused = await ask(key);
        const answeredAt = Date.now();
        expect(await codeOf(refused)).toBe('rate_limit_exceeded');
        const comeBackIn = Number(refused.headers.get('retry-after'));
        expect(comeBackIn).toBeGreaterThanOrEqual(1);
        expect(comeBackIn).toBeLessThanOrEqual(60);
        expect(shown(refused).reset - comeBackIn).toBeWithin(askedAt / SECOND - 2, answeredAt / SECOND + 2);

        const ignored: string[] = [];
        for (let sent = 2; sent < PER_MINUTE; sent += 1) ignored.push(await codeOf(await ask(key)));
        expect(new Set(ignored)).toEqual(new Set(['rate_limit_exceeded']));
        const banned = await ask(key);
        expect(await codeOf(banned)).toBe('api_key_banned');
        expect(Number(banned.headers.get('retry-after'))).toBeWithin(60, 121);

        const usage = await command(key, 'usage', 'get');
        expect(usage).toMatchObject({
          keyId: id,
          minute: { limit: PER_MINUTE, used: PER_MINUTE, remaining: 0 },
          day: { limit: 10_000, used: PER_MINUTE, remaining: 9700 },
        });
        expect(Math.ceil(Date.parse(usage.bannedUntil) / SECOND)).toBe(shown(banned).reset);
        const sum = (status: string) =>
          usage.hours.reduce((all: number, { byStatus }: any) => all + (byStatus[status] ?? 0), 0);
        expect([sum('200'), sum('429')]).toEqual([PER_MINUTE, PER_MINUTE]);
        expect((await command(adminKey, 'keys', 'usage', id)).bannedUntil).toBe(usage.bannedUntil);

        const trail = await command(adminKey, 'audit', 'list');
        const of = trail.filter(({ data }: any) => data.object.id === id);
        expect(of.map(({ type }: any) => type)).toEqual(['key.created', 'key.banned']);
        expect(of[0]).toMatchObject({ address: '127.0.0.1', actor: { keyId: trail[0].data.object.id } });
        expect(of[1].data.object.bannedUntil).toBe(usage.bannedUntil);
      });
    },
    PATIENCE_MS,
  );

  test(
    '1,000 concurrent requests are counted exactly, including in the usage',
    async () => {
      const { command, issueProKey, ask } = await setUp();
      await inTime(60 * SECOND, async () => {
        const { key } = await issueProKey('Rush hour');
        const codes = await Promise.all(Array.from({ length: 1000 }, async () => codeOf(await ask(key))));
        const counts = Object.fromEntries(
          Map.groupBy(codes, (code) => code)
            .entries()
            .map(([code, all]) => [code, all.length]),
        );
        expect(counts).toEqual({
          admitted: PER_MINUTE,
          rate_limit_exceeded: PER_MINUTE - 1,
          api_key_banned: 1000 - 2 * PER_MINUTE + 1,
        });
        const { minute, hours } = await command(key, 'usage', 'get');
        expect(minute).toMatchObject({ used: PER_MINUTE, remaining: 0 });
        expect(hours.reduce((all: number, { total }: any) => all + total, 0)).toBe(1000);
      });
    },
    PATIENCE_MS,
  );
});

const waits: [string, (refused: TestResponse, now: number) => number][] = [
  ['Retry-After', ({ headers }) => Number(headers.get('retry-after')) * SECOND],
  ['X-RateLimit-Reset', (refused, now) => shown(refused).reset * SECOND - now],
];
test.each(waits)(
  'a retry at the time that %s gives is admitted, and a second earlier is refused',
  async (_, waitOf) => {
    const service = await startService();
    const probe = createLimitProbe(service);
    const key = await service.issueKey({ plan: 'free' });
    service.clock.advance(123);
    await probe.codes(key, 60);
    service.clock.advance(20_456);
    const waitMs = waitOf(await probe.ask(key), service.clock());
    service.clock.advance(waitMs - SECOND);
    expect(await probe.codes(key, 1)).toEqual(['rate_limit_exceeded']);
    service.clock.advance(SECOND);
    expect(await probe.codes(key, 1)).toEqual(['admitted']);
    await service.stop();
  },
);
