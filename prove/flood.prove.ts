import { afterAll, beforeAll, expect } from 'bun:test';
import type { Callers } from './callers.ts';
import { createPet, mixed, readPet, startCrowded } from './crowd.ts';
import { proof } from './proof.ts';

let service: Awaited<ReturnType<typeof startCrowded>>;
beforeAll(async () => {
  service = await startCrowded();
});
afterAll(() => service.stop());

const floods: [string, (key: string) => string][] = [
  ['reads', readPet],
  ['creations', createPet],
];
for (const [what, request] of floods) {
  proof(`one key floods the service with ${what} on 1,000 connections: others are served as before`, async (tell) => {
    const [flooding = '', ...keys] = service.keys;
    const calm: Callers = { connections: 10, requests: mixed(keys), everyMs: 50 };
    const flood: Callers = { connections: 1000, requests: [request(flooding)], everyMs: 0 };
    const seen = await service.compare(calm, [calm, flood]);
    tell.figure(`p99 alone ${seen.p99Alone} ms, goodput ${seen.together} of ${seen.alone} a second`);
    tell.goal('p99 during the flood', seen.p99, Math.round(3 * seen.p99Alone));
    tell.figure(`${seen.refused} requests of others refused`);
    expect(seen.statuses.filter((status) => !['200', '201', '503'].includes(status))).toEqual([]);
  });
}
