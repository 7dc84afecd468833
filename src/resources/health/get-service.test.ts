import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ADMIN_KEY } from '../../../test/admin-key.ts';
import { expectError } from '../../../test/expect-answer.ts';
import { type Service, startService } from '../../../test/service.ts';
import { VARIABLES } from '../../config.ts';
import { VERSION } from '../../version.ts';

const HEADER = 'hunter2-hunter3';
const environment = {
  PETSTORE_EVENT_DAYS: '30',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  OTEL_EXPORTER_OTLP_HEADERS: `x-token=${HEADER}`,
};

let service: Service;
beforeAll(async () => {
  service = await startService({ environment });
});
afterAll(() => service.stop());

describe('getService', () => {
  test('shows the version, the engine and the schema', async () => {
    const { status, body } = await service.get('/v1/health/service');
    expect(status).toBe(200);
    const isPostgres = service.place.startsWith('postgres:');
    expect(body).toMatchObject({
      ...{ version: VERSION, environment: 'production', engine: isPostgres ? 'postgres' : 'sqlite' },
      runtime: `bun ${process.versions.bun}`,
      startedAt: new Date(service.clock()).toISOString(),
    });
    expect(body.schema).toBeGreaterThan(0);
  });

  test('shows every setting, and whether the operator set it', async () => {
    const { settings } = (await service.get('/v1/health/service')).body;
    expect(settings.map(({ name }: { name: string }) => name)).toEqual(Object.keys(VARIABLES));
    const of = (name: string) => settings.find((setting: { name: string }) => setting.name === name);
    expect(of('PETSTORE_EVENT_DAYS')).toMatchObject({ value: '30', source: 'set', secret: false });
    expect(of('PETSTORE_ORDER_HOLD_SECONDS')).toMatchObject({ value: '3600', source: 'default', secret: false });
    expect(of('PETSTORE_METRICS_PORT')).toMatchObject({ value: null, source: 'default', secret: false });
    expect(of('PETSTORE_ADMIN_KEY')).toMatchObject({ value: null, source: 'set', secret: true });
  });

  test('shows no secret', async () => {
    const { text } = await service.get('/v1/health/service');
    for (const secret of [ADMIN_KEY, HEADER]) expect(text).not.toContain(secret);
    const password = URL.parse(service.place)?.password;
    if (password) expect(text).not.toContain(password);
  });

  test('requires ops:read', async () => {
    expectError(await service.get('/v1/health/service', { key: await service.issueKey() }), 'insufficient_scope', 403);
  });
});
