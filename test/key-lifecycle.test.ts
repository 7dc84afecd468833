import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createLimitProbe, type LimitProbe, left } from './limit-probe.ts';
import { type Service, startService } from './service.ts';

let service: Service;
let probe: LimitProbe;
beforeAll(async () => {
  service = await startService();
  probe = createLimitProbe(service);
});
afterAll(() => service.stop());

const issue = async (fields: object = {}) => {
  const { key, id } = (await service.post('/v1/keys', { name: 'Front desk', plan: 'business', ...fields })).body;
  return { key: key as string, id: id as string, path: `/v1/keys/${id}` };
};
const times = <T>(count: number, act: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));
const eventTypes = async (id: string) =>
  (
    await probe.rows(
      `SELECT type FROM events WHERE data LIKE '{"object":{"id":"' || CAST($1 AS text) || '"%' ORDER BY sequence`,
      id,
    )
  ).map(({ type }) => type.replace('key.', ''));

describe('a key over its lifetime', () => {
  test('leaves an audit entry for every change: what, who, when and from where', async () => {
    const operator = await issue({ scopes: ['keys:write', 'ops:read'] });
    const asOperator = (method: string, path: string, body?: object) => {
      service.clock.advance(1000);
      return service.call(method, path, { key: operator.key, body });
    };
    const { body: issued } = await asOperator('POST', '/v1/keys', { name: 'Till', plan: 'free', storeId: 40 });
    const path = `/v1/keys/${issued.id}`;
    const { body: updated } = await asOperator('PATCH', path, { name: 'Desk' });
    const { body: rotated } = await asOperator('POST', `${path}/rotate`, { graceSeconds: 60 });
    await asOperator('DELETE', path);
    const { body: revoked } = await asOperator('GET', path);

    const { body: audit } = await asOperator('GET', '/v1/audit?limit=100');
    const trail = audit.filter(({ storeId }: { storeId: number }) => storeId === 40);
    const { key: _, ...created } = issued;
    const { key: __, ...withNewSecret } = rotated;
    expect(trail.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
      ['key.created', { object: created }],
      ['key.updated', { object: updated, previous: { name: 'Till' } }],
      ['key.rotated', { object: withNewSecret, previous: { last4: created.last4 } }],
      ['key.revoked', { object: revoked, previous: { revokedAt: null } }],
    ]);
    for (const { actor, address, requestId } of trail) {
      expect([actor, address]).toEqual([{ keyId: operator.id }, '127.0.0.1']);
      expect(requestId).toMatch(/^req_/);
    }
    const instants = trail.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp));
    expect(instants).toEqual([0, 1, 2, 3].map((step) => instants[0] + step * 1000));
    for (const secret of [issued.key, rotated.key]) {
      expect(JSON.stringify(audit)).not.toContain(secret.slice(8, 38));
    }
  });

  test('keeps its rate limit windows through a change of plan, a rotation and a restart', async () => {
    const { key, path } = await issue({ plan: 'free' });
    await probe.codes(key, 3);
    await service.call('PATCH', path, { body: { plan: 'pro' } });
    const fresh = (await service.post(`${path}/rotate`, {})).body.key;
    await service.restart();
    expect(left(await probe.ask(fresh))).toEqual([296, 9996]);
  });
});

describe('concurrent changes to one key', () => {
  test('revoke it once, however many revocations arrive', async () => {
    const { id, path } = await issue();
    const answers = await times(20, () => service.call('DELETE', path));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(204));
    expect(await eventTypes(id)).toEqual(['created', 'revoked']);
  });

  test('never reactivate a revoked key', async () => {
    const { id, key, path } = await issue();
    const answers = await times(21, (index) =>
      index === 10
        ? service.call('DELETE', path)
        : service.call('PATCH', path, { body: { name: `name ${index}`, expiresAt: null } }),
    );
    const changed = answers.filter(({ status }) => status === 200).length;
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(20 - changed);
    expect(await eventTypes(id)).toEqual(['created', ...Array(changed).fill('updated'), 'revoked']);
    expect((await service.get(path)).body.revokedAt).not.toBeNull();
    expect((await service.get('/v1/pets', { key })).status).toBe(401);
  });

  test('leave exactly one working secret after rotations without grace', async () => {
    const { id, key, path } = await issue();
    const secrets = (await times(10, () => service.post(`${path}/rotate`, {}))).map(({ body }) => body.key as string);
    const good = await times(10, async (index) => {
      const { status } = await service.get('/v1/pets', { key: secrets[index] as string });
      return status === 200 ? secrets[index] : undefined;
    });
    const [last, ...others] = good.filter((secret) => secret !== undefined);
    expect(others).toEqual([]);
    expect((await service.get(path)).body.last4).toBe(last?.slice(-4));
    expect((await service.get('/v1/pets', { key })).status).toBe(401);
    expect(await eventTypes(id)).toEqual(['created', ...Array(10).fill('rotated')]);
  });

  test('leave two working secrets after rotations with grace', async () => {
    const { path } = await issue();
    const answers = await times(10, () => service.post(`${path}/rotate`, { graceSeconds: 60 }));
    const statuses = await times(
      10,
      async (index) => (await service.get('/v1/pets', { key: answers[index]?.body.key })).status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  });

  test('each change only their own field', async () => {
    const { id, path } = await issue();
    await times(4, (index) =>
      service.call('PATCH', path, {
        body: [
          { name: 'Till' },
          { plan: 'free' },
          { scopes: ['pets:read'] },
          { expiresAt: '2030-01-31T12:00:00.000Z' },
        ][index],
      }),
    );
    expect((await service.get(path)).body).toMatchObject({
      name: 'Till',
      plan: 'free',
      scopes: ['pets:read'],
      expiresAt: '2030-01-31T12:00:00.000Z',
    });
    expect(await eventTypes(id)).toEqual(['created', 'updated', 'updated', 'updated', 'updated']);
  });
});

describe('a change to a key', () => {
  test('applies to every request sent after its response, even while others are in flight', async () => {
    const { key, path } = await issue();
    const ask = () => service.get('/v1/pets', { key });
    const underWay = times(50, ask);
    expect((await service.call('DELETE', path)).status).toBe(204);
    const after = await times(50, ask);
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]));
    for (const { status } of await underWay) expect([200, 401]).toContain(status);
  });

  test('has no effect when it is refused: the key stays the same, without an event', async () => {
    const { id, path } = await issue();
    const before = (await service.get(path)).body;
    const refused = [
      await service.call('PATCH', path, { body: { name: 'Till', plan: 'enterprise' } }),
      await service.post(`${path}/rotate`, { graceSeconds: -1 }),
      await service.call('DELETE', path, { key: (await issue()).key }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 403]);
    expect((await service.get(path)).body).toEqual(before);
    expect(await eventTypes(id)).toEqual(['created']);
  });
});
