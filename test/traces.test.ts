import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createLog } from '../src/ops/log.ts';
import { inTime } from './in-time.ts';
import { createTestClock, type Service, startService } from './service.ts';
import { waitFor } from './wait-for.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT_ID = '00f067aa0ba902b7';
const traceparent = `00-${TRACE_ID}-${PARENT_ID}-01`;

type Received = { path: string; headers: Headers; body: any };

const startRecorder = () => {
  const got: Received[] = [];
  const state = { status: 200 };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname: path } = new URL(request.url);
      got.push({ path, headers: request.headers, body: await request.json() });
      return new Response('{}', { status: state.status });
    },
  });
  return { got, state, url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
};

let service: Service;
let recorder: ReturnType<typeof startRecorder>;
let written: { text: string };
const log = () => {
  const own = written;
  const sink = async (lines: Buffer) => {
    own.text += String(lines);
  };
  return createLog('info', sink, createTestClock());
};
beforeEach(() => {
  recorder = startRecorder();
  written = { text: '' };
});
afterEach(async () => {
  await service.stop();
  await recorder.stop();
});

describe('the trace of a request', () => {
  beforeEach(async () => {
    service = await startService({ environment: { PETSTORE_WEBHOOK_ALLOW_PRIVATE: 'true' }, log: log() });
  });

  test('is in the response, with a new span', async () => {
    const { headers } = await service.get('/v1/pets', { headers: { traceparent } });
    expect(headers.get('traceparent')).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`));
    expect(headers.get('traceparent')).not.toContain(PARENT_ID);
  });

  test('is in the log', async () => {
    await service.get('/v1/pets', { headers: { traceparent } });
    await waitFor('the log line appears', () => written.text.includes(`"traceId":"${TRACE_ID}"`));
  });

  test('is passed on to webhooks', async () => {
    const key = await service.issueKey({ scopes: ['pets:read', 'pets:write', 'webhooks:write'] });
    await service.post('/v1/webhooks', { url: `${recorder.url}/`, events: ['pet.created'] }, { key });
    const { headers } = await service.post(
      '/v1/pets',
      { name: 'Rex', categoryId: 1 },
      { key, headers: { traceparent } },
    );
    const delivered = await waitFor('the delivery arrives', async () => {
      await service.runJobs();
      return recorder.got[0];
    });
    expect(delivered.headers.get('traceparent')).toBe(headers.get('traceparent'));
  });

  test('is passed on to MCP tool calls', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'listPets', arguments: {} } };
    await service.post('/mcp', call, { headers: { traceparent, Accept: 'application/json, text/event-stream' } });
    await waitFor('the log line appears', () =>
      new RegExp(`"operation":"listPets".*"traceId":"${TRACE_ID}"`).test(written.text),
    );
  });

  test('is absent from response and log without a valid traceparent', async () => {
    for (const headers of [{}, { traceparent: 'nonsense' }]) {
      expect((await service.get('/v1/pets', { headers })).headers.get('traceparent')).toBeNull();
    }
    await service.get('/v1/pets');
    await waitFor('the log lines appear', () => written.text.split('"event":"request"').length > 3);
    expect(written.text).not.toContain('traceId');
  });
});

describe('a collector', () => {
  beforeEach(async () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: recorder.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=planted-secret',
    };
    service = await startService({ environment, log: log() });
  });

  const spansOf = () =>
    recorder.got.flatMap(({ body }) => body.resourceSpans.flatMap((one: any) => one.scopeSpans[0].spans)) as any[];
  const attributesOf = (span: any) =>
    Object.fromEntries(span.attributes.map(({ key, value }: any) => [key, value.stringValue ?? value.intValue]));

  const sendSpans = async () => {
    recorder.got.length = 0;
    const key = await service.issueKey();
    const { headers } = await service.post(
      '/v1/pets',
      { name: 'Rex', categoryId: 1 },
      { key, headers: { traceparent } },
    );
    await service.get('/v1/planted-path', { key });
    await service.runJobs();
    const [{ path, headers: sent } = { path: '', headers: new Headers() }] = recorder.got;
    expect(path).toBe('/v1/traces');
    expect(sent.get('x-collector-key')).toBe('planted-secret');

    const created = spansOf().find(({ name }) => name === 'createPet');
    expect(`00-${created.traceId}-${created.spanId}-01`).toBe(headers.get('traceparent') ?? '');
    expect(created).toMatchObject({ parentSpanId: PARENT_ID, kind: 2, status: {} });
    expect(attributesOf(created)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/pets',
      'http.response.status_code': '201',
      'petstore.request_id': headers.get('x-request-id') ?? '',
    });
    expect(BigInt(created.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(created.startTimeUnixNano));
    expect(JSON.stringify(recorder.got.map(({ body }) => body))).not.toMatch(/planted|ps_live_|Rex/);
    expect(written.text).not.toContain('planted-secret');
  };
  test('gets a span for each request, by OTLP over HTTP', () => inTime(5000, sendSpans));

  test('gets no span of an unsampled trace', async () => {
    await service.get('/v1/pets', { headers: { traceparent: traceparent.replace(/01$/, '00') } });
    await service.runJobs();
    expect(spansOf()).toEqual([]);
  });

  test('that fails delays no request, and the failure is logged', async () => {
    recorder.state.status = 500;
    expect((await service.get('/v1/pets')).status).toBe(200);
    await service.runJobs();
    expect((await service.get('/v1/pets')).status).toBe(200);
    await waitFor('the failure is logged', () => written.text.includes('spans_not_sent'));
  });
});
