import { afterAll, beforeAll, expect } from 'bun:test';
import { waitFor } from '../test/wait-for.ts';
import type { Callers } from './callers.ts';
import { createPet, mixed, startCrowded } from './crowd.ts';
import { proof } from './proof.ts';

/**
 * While callers without a key flood the service, callers with a valid key must keep at least this share of their
 * throughput.
 */
const SHARE = 0.65;
const LONGEST_MS = 250;
const SECOND = 1000;
const MAX_MS = Math.round(SECOND / SHARE);

const percent = (share: number): string => `${Math.round(100 * share)} %`;

let service: Awaited<ReturnType<typeof startCrowded>>;
beforeAll(async () => {
  service = await startCrowded();
});
afterAll(() => service.stop());

const strangers: Callers = {
  connections: 4500,
  requests: ['GET /v1/pets/1 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  everyMs: 0,
};

proof(
  '5,000 connections, of which 4,500 have no valid key and retry immediately: the other 500 are served as if they were alone',
  async (tell) => {
    const valid: Callers = { connections: 500, requests: mixed(service.keys), everyMs: 500 };
    const seen = await service.compare(valid, [valid, strangers]);
    tell.figure(`goodput ${seen.together} a second, ${percent(seen.share)} of ${seen.alone} alone`);
    tell.figure(`p99 alone ${seen.p99Alone} ms`);
    tell.time(
      'time for the requests that they complete in one second alone:',
      SECOND / Math.max(0.001, seen.share),
      MAX_MS,
    );
    tell.time('p99', seen.p99, LONGEST_MS);
    expect(seen.statuses.filter((status) => !['200', '201', '503'].includes(status))).toEqual([]);
    await waitFor('it is ready', async () => (await fetch(`${service.origin}/readyz`)).status === 200);
    const { acknowledged, stored } = await service.kept();
    expect(stored).toBeGreaterThanOrEqual(acknowledged);
  },
);

proof(
  '3,000 callers that create pets as fast as they can complete nearly as many requests as 256 callers',
  async (tell) => {
    const callers = (connections: number): Callers => ({
      connections,
      requests: service.keys.map(createPet),
      everyMs: 0,
    });
    const seen = await service.compare(callers(256), [callers(3000)]);
    tell.figure(`goodput ${seen.together} a second, ${percent(seen.share)} of ${seen.alone} with 256`);
    tell.figure(`${percent(seen.shareByProcessor)} per second of the service's processor time`);
    tell.figure(`p99 of admitted requests ${seen.p99} ms`);
    tell.time(
      'time for the requests that 256 callers complete in one second:',
      SECOND / Math.max(0.001, seen.share),
      MAX_MS,
    );
    expect(seen.statuses.filter((status) => !['201', '503'].includes(status))).toEqual([]);
    const { acknowledged, stored } = await service.kept();
    expect(stored).toBeGreaterThanOrEqual(acknowledged);
  },
);
