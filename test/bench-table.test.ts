import { expect, test } from 'bun:test';
import { compareLaunches } from '../bench/compare.ts';
import { documentsWithPeers, newestPeers, showPeers } from '../bench/peer-report.ts';
import { ALL_PEERS, once } from '../bench/peer-servers.ts';
import { documentsWith, newestResult, showResult } from '../bench/report.ts';
import { readDocument } from './documents.ts';

test('the README and docs/performance.md show the newest benchmark result', () => {
  const result = newestResult();
  if (!result) throw new Error('no result is kept in bench/results');
  for (const [path, text] of Object.entries(documentsWith(result))) expect(readDocument(path)).toBe(text);
});

test('the newest result covers every workload and names its machine and commit', () => {
  const { commit, machine, rows, answers } = newestResult() ?? {};
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  expect(machine).toMatchObject({ cores: expect.any(Number), node: expect.any(String), bun: expect.any(String) });
  expect(rows?.length).toBeGreaterThanOrEqual(7);
  expect(answers?.length).toBeGreaterThanOrEqual(7);
});

test('a result shows figures for PostgreSQL and Redis only if they were measured', () => {
  const result = newestResult();
  if (!result) throw new Error('no result is kept in bench/results');
  const reading = { perSecond: 6261, p50Ms: 8.4, p99Ms: 35.6, cpuMicros: 136, residentMb: 102 };
  const readings = { ours: reading, bare: { ...reading, perSecond: 10_470, cpuMicros: 85 } };
  const row = { work: 'get', promise: '≥ 0.5 × per core', readings, ratio: 0.625, isMet: true };
  expect(showResult({ ...result, shared: [] })).not.toContain('same two round trips');
  expect(showResult({ ...result, shared: [row] })).toContain(
    '| get | 6,261 | 10,470 | 136 / 85 | 0.63 × | ≥ 0.5 × per core | yes | 8.4 / 35.6 | 8.4 / 35.6 | 102 |',
  );
});

const READING = { perSecond: 2000, p50Ms: 1, p99Ms: 12.34, cpuMicros: 56.7, residentMb: 80 };
const PEERS = {
  ...{
    date: '2026-11-18T00:00:00.000Z',
    commit: 'c'.repeat(40),
    pets: 1000,
    rounds: 5,
    seconds: 2,
    peerNode: '26.10.0',
  },
  machine: { processor: 'X', cores: 2, memoryGb: 8, node: '20.0.0', bun: '1.4.4', generator: 'wrk', pinned: true },
  peers: [
    {
      name: 'PocketBase, synced',
      does: 'on disk before the response',
      works: {
        create: {
          reading: READING,
          rate: { median: 2000, least: 1900, most: 2100.4 },
          ratio: { median: 11.26, least: 9.5, most: 12 },
        },
      },
    },
  ],
  answers: [{ question: 'create', promise: '≥ 10 ×', answer: '11.3 × (9.50 to 12.0)', isMet: true }],
  skipped: [],
};

test('the table of peers shows rate, p99, processor time and ratio, and a dash for what was not measured', () => {
  const shown = showPeers(PEERS);
  expect(shown).toContain(
    '| PocketBase, synced | – | – | 11.3 × (9.50 to 12.0) | – | – | 2,000 (1,900 to 2,100) / 12.3 / 57 | on disk before the response |',
  );
  expect(shown).toContain('| create | 11.3 × (9.50 to 12.0) | ≥ 10 × | yes |');
  expect(shown).not.toContain('Skipped');
  expect(showPeers({ ...PEERS, skipped: ['Prism: npm is not installed'] })).toContain('- Prism: npm is not installed');
});

test('docs/performance.md shows the newest comparison with peers', () => {
  for (const [path, text] of Object.entries(documentsWithPeers(newestPeers()))) expect(readDocument(path)).toBe(text);
  const [[path, text] = ['', '']] = Object.entries(documentsWithPeers(PEERS));
  expect(text).toContain('PocketBase, synced');
  // All sections other than the comparison with peers must stay the same.
  expect(text.split('<!-- End of')[0]).toBe(readDocument(path).split('<!-- End of')[0] as string);
  expect(text.split('## During an import')[1]).toBe(readDocument(path).split('## During an import')[1] as string);
});

test('the packages of the compared servers have exact versions, name no registry, and are not dependencies of this project', () => {
  const peers = JSON.parse(readDocument('bench/peers/package.json'));
  const own = JSON.parse(readDocument('package.json'));
  const versions = { ...peers.dependencies, ...peers.optionalDependencies };
  for (const version of Object.values(versions)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  const shared = Object.keys(versions).filter((name) => name in { ...own.dependencies, ...own.devDependencies });
  expect(shared).toEqual(['zod']);
  const lock = readDocument('bench/peers/package-lock.json');
  expect(lock).not.toContain('"resolved"');
  expect(JSON.parse(lock).packages['']).toMatchObject({ dependencies: peers.dependencies });
});

test('every program of a peer is in bench/peers', () => {
  const files = [
    'express.mjs',
    'fastify.mjs',
    'hono.mjs',
    'pocketbase/main.go',
    'pocketbase/go.mod',
    'pocketbase/go.sum',
  ];
  for (const file of files) expect(readDocument(`bench/peers/${file}`)).not.toBe('');
  expect(ALL_PEERS.map(({ name }) => name.split(/[ ,]/)[0])).toEqual([
    ...['PocketBase', 'PocketBase', 'Express', 'Fastify', 'Hono', 'json-server', 'Prism'],
  ]);
  for (const { name } of ALL_PEERS) expect(name).toMatch(/ \d+\.\d+\.\d+/);
});

test('a failed installation is not tried again for the next peer', () => {
  let tries = 0;
  const install = once(() => {
    tries += 1;
    throw new Error('npm is not installed');
  });
  const kit = { directory: '/a', log: '/log', pets: 1 };
  for (let peer = 0; peer < 2; peer += 1) expect(() => install(kit)).toThrow('npm is not installed');
  expect(tries).toBe(1);
});

test('a server that fails ends the comparison, or is left out of it', async () => {
  const launch = async () => {
    throw new Error('no response');
  };
  const load = { kind: 'get' as const, key: '', pets: 1, cursorFile: '', seconds: 1, connections: 1 };
  const failures: string[] = [];
  const compare = (leaveOut?: (name: string) => void) =>
    compareLaunches([{ name: 'broken', launch }], load, {
      ...{ rounds: 2, sideLoad: () => () => undefined },
      ...(leaveOut && { leaveOut }),
    });
  await expect(compare()).rejects.toThrow('no response');
  expect(await compare((name) => failures.push(name))).toEqual([{}, {}]);
  expect(failures).toEqual(['broken']);
});
