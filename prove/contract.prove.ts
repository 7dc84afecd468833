import { afterAll, beforeAll, expect } from 'bun:test';
import fc from 'fast-check';
import { askOf, requestsTo, targetOf } from '../test/arbitrary-requests.ts';
import { dereference } from '../test/dereference.ts';
import { createDescription } from '../test/described-answer.ts';
import { createWorkbench } from '../test/program.ts';
import { ADMIN_KEY, type Service, startService } from '../test/service.ts';
import { LONG, proof } from './proof.ts';
import { seedOfRun } from './seeded.ts';

const REQUESTS = LONG ? 100_000 : 2000;

const bench = createWorkbench();
let service: Service;
let reader: string;
beforeAll(async () => {
  service = await startService();
  const limits = { perMinute: 100_000_000, perDay: 1_000_000_000 };
  reader = await service.issueKey({ plan: 'enterprise', limits, scopes: ['pets:read'] });
});
afterAll(async () => {
  await service.stop();
  await bench.clear();
});

proof(
  `${REQUESTS} requests generated from the OpenAPI document all get a documented response, and none gets a 5xx`,
  async ({ figure }) => {
    const seed = seedOfRun();
    const { body: document } = await service.get('/openapi.json', { key: null });
    const description = createDescription(document);
    const statuses: Record<string, number> = {};
    const described = fc.asyncProperty(requestsTo(dereference(document)), async (request) => {
      service.clock.advance(1000);
      const target = targetOf(request);
      const seen = await service.call(request.method, target, askOf(request, reader));
      expect(seen.status).toBeLessThan(500);
      description.expectDescribed(request.method, new URL(service.url(target)).pathname, seen);
      statuses[seen.status] = (statuses[seen.status] ?? 0) + 1;
    });
    await fc.assert(described, { numRuns: REQUESTS, seed });
    figure(`seed ${seed}`);
    figure(
      Object.entries(statuses)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
    );
    for (const met of ['200', '201', '204', '400', '401', '403', '404', '415']) expect(statuses).toHaveProperty(met);
  },
);

/**
 * Paths that the proof does not call: webhooks with random URLs could reach real servers, and an event stream never
 * ends.
 */
const LEFT_OUT = '/webhooks|/stream';
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

if (LONG) {
  proof('Schemathesis finds no undocumented response', async ({ figure, open }) => {
    const program = Bun.which('schemathesis');
    if (!program) return open('Schemathesis is not installed; to install it: pip install schemathesis');
    const directory = bench.directory();
    const running = bench.start({ directory, environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY } });
    const words = ['run', `${await running.origin()}/openapi.json`, '-H', `Authorization: Bearer ${ADMIN_KEY}`];
    const options = [
      '--exclude-path-regex',
      LEFT_OUT,
      '--checks',
      CHECKS.join(),
      '--max-examples',
      '100',
      '--request-timeout',
      '120',
      '--no-color',
    ];
    const { exitCode, out } = await bench.start({ directory, command: [program, ...words, ...options] }).ended();
    figure(/\d+ generated, \d+ passed/.exec(out)?.[0] ?? 'number of requests not reported');
    expect({ exitCode, said: exitCode === 0 ? '' : out.slice(-4000) }).toEqual({ exitCode: 0, said: '' });
  });
}
