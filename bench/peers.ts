import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Contender,
  compareLaunches,
  medians,
  type Ratio,
  type Reading,
  ratioOf,
  showRatio,
  spreadOf,
} from './compare.ts';
import type { Kind } from './load.ts';
import { ALL_PEERS, PEER_NODE, type Peer, type PeerWork } from './peer-servers.ts';
import { type Answer, copyOf } from './questions.ts';
import { issueKey, type Server, sqlite, startService } from './servers.ts';
import type { Setting } from './works.ts';

/** `rate` is in requests per second. `ratio` is the service's rate divided by the peer's rate. */
export type PeerReading = { reading: Reading; rate: Ratio; ratio: Ratio };
export type PeerRow = { name: string; does: string; works: Partial<Record<PeerWork, PeerReading>> };
export type Compared = { peers: PeerRow[]; answers: Answer[]; skipped: string[]; peerNode: string };

const WORKS: Record<PeerWork, Kind> = { get: 'get', list: 'cold', create: 'create' };
const OURS =
  'on disk before the response (`synchronous=FULL`); key, scope and two rate limits checked; validated; event, counters and log line written';
const CONNECTIONS = 64;
const PATHS = 100_000;
/** Requests time out after ten seconds instead of two, because some peers respond slowly while the machine is busy. */
const SLOW = { timeoutSeconds: 10 };
const BODY = '{"name":"Rex","categoryId":1,"status":"available"}';

type Ready = { peer: Peer; key: string; launch(): Promise<Server>; files: Record<PeerWork, string> };

const writePaths = ({ path, mostPets = Infinity, name }: Peer, { directory, pets }: Setting) => {
  const most = Math.min(pets, mostPets);
  const random = (path: (id: number) => string) =>
    Array.from({ length: PATHS }, () => path(1 + Math.floor(Math.random() * most)));
  // Each list starts at least 60 ids before the last pet, so that its page is full: a page has 20 available pets, and
  // every third pet is available.
  const lists = random((id) => path.list(Math.min(id, Math.max(0, most - 60))));
  const lines = { get: random(path.get), list: lists, create: [path.create] };
  const fileOf = (work: PeerWork): string => {
    const file = join(directory, `${name}-${work}`.replaceAll(/[^\w.-]+/g, '-'));
    writeFileSync(file, `${lines[work].join('\n')}\n`);
    return file;
  };
  return { get: fileOf('get'), list: fileOf('list'), create: fileOf('create') };
};

/** Sends each kind of request once and checks the response, so that the benchmark never measures error responses. */
const check = async ({ peer, key, launch }: Omit<Ready, 'files'>): Promise<void> => {
  const server = await launch();
  try {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const send = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(`${server.origin}${path}`, { headers, ...init });
      const text = await answer.text();
      if (!answer.ok)
        throw new Error(`${init.method ?? 'GET'} ${path} returned ${answer.status}: ${text.slice(0, 200)}`);
      return text;
    };
    await send(peer.path.get(7));
    const page = await send(peer.path.list(60));
    const available = page.split('"available"').length - 1;
    if (available !== 20 && !peer.sendsExamples) throw new Error(`a page has ${available} pets instead of 20`);
    await send(peer.path.create, { method: 'POST', body: BODY });
  } finally {
    await server.stop();
  }
};

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const prepareAll = async (peers: readonly Peer[], setting: Setting, say: (text: string) => void) => {
  const { directory, log, pets } = setting;
  const ready: Ready[] = [];
  const skipped: string[] = [];
  for (const peer of peers) {
    try {
      const launched = { peer, ...(await peer.prepare({ directory, log, pets })) };
      await check(launched);
      ready.push({ ...launched, files: writePaths(peer, setting) });
      say(`${peer.name}: ready`);
    } catch (error) {
      skipped.push(`${peer.name}: ${reasonOf(error)}`);
      say(`${peer.name}: skipped: ${reasonOf(error)}`);
    }
  }
  return { ready, skipped };
};

const contendersOf = (work: PeerWork, ready: readonly Ready[], database: string, log: string): Contender[] => {
  const launch = () => startService(sqlite(database), log);
  const kind: Kind = work === 'create' ? 'post' : 'path';
  const others = ready
    .filter(({ peer }) => peer.works.includes(work))
    .map(({ peer, key, launch, files }) => ({
      name: peer.name,
      launch,
      load: { ...SLOW, kind, key, cursorFile: files[work] },
    }));
  return [{ name: 'ours', launch }, ...others, { name: 'again', launch }];
};

const targetsOf = (work: PeerWork, peers: readonly Peer[], row: (name: string) => PeerReading | undefined): Answer[] =>
  peers.flatMap(({ name, atLeast }) => {
    const ratio = row(name)?.ratio;
    if (atLeast === undefined || !ratio) return [];
    return {
      question: `${work}: our requests/s ÷ those of ${name}`,
      promise: `≥ ${atLeast} ×`,
      answer: showRatio(ratio),
      isMet: ratio.median >= atLeast,
    };
  });

export const comparePeers = async (
  setting: Setting,
  only: string | undefined,
  say: (text: string) => void,
): Promise<Compared> => {
  const chosen = ALL_PEERS.filter(({ name }) => only === undefined || name.includes(only));
  const { ready, skipped } = await prepareAll(chosen, setting, say);
  const database = copyOf(setting.database, 'peers');
  const service = await startService(sqlite(database), setting.log);
  const key = await issueKey(service).finally(service.stop);

  const row = (name: string, does: string): PeerRow => ({ name, does, works: {} });
  const own = [row('this service', OURS), row('this service, second launch', 'the same')];
  const peers = [...own, ...ready.map(({ peer }) => row(peer.name, peer.does))];
  const answers: Answer[] = [];
  for (const [work, kind] of Object.entries(WORKS) as [PeerWork, Kind][]) {
    const { pets, cursorFile, seconds, rounds } = setting;
    const load = { kind, key, pets, cursorFile, seconds, connections: CONNECTIONS };
    const contenders = contendersOf(work, ready, database, setting.log);
    const leaveOut = (name: string, error: unknown): void => {
      if (name === 'ours' || name === 'again') throw error;
      skipped.push(`${work}, ${name}: ${reasonOf(error)}`);
      say(`${work}, ${name}: left out: ${reasonOf(error)}`);
    };
    const taken = await compareLaunches(contenders, load, { rounds, sideLoad: () => () => undefined, leaveOut });
    const names = ['ours', 'again', ...ready.map(({ peer }) => peer.name)];
    for (const [name, reading] of Object.entries(medians(taken))) {
      const rate = spreadOf(taken, 'perSecond', name);
      const ratio = ratioOf(taken, 'perSecond', ['ours', name]);
      Object.assign(peers[names.indexOf(name)]?.works ?? {}, { [work]: { reading, rate, ratio } });
      say(`${work}, ${name}: ${rate.median.toFixed(0)} a second, ours ÷ this ${ratio.median.toFixed(1)}`);
    }
    answers.push(...targetsOf(work, chosen, (name) => peers.find((one) => one.name === name)?.works[work]));
  }
  return { peers, answers, skipped, peerNode: PEER_NODE };
};
