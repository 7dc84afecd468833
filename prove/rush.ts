import { ADMIN_KEY } from '../test/admin-key.ts';
import type { Instances } from '../test/instances.ts';
import { query } from '../test/servers/databases.ts';
import { waitFor } from '../test/wait-for.ts';
import { askTogether, countWords, portOf, requestText, statusOf } from './fleet-load.ts';

const REQUESTS = 5000;

const get = (key: string): string => requestText('GET', '/v1/pets?limit=1', { key });

export const askAll = ({ instances }: Instances, key: string, count: number) =>
  askTogether(instances.map(portOf), Array(count).fill(get(key)));

/**
 * Sends requests before the measurement, because an instance's first requests take many times as long as later ones.
 */
export const warmUp = async (running: Instances): Promise<void> => {
  await askAll(running, ADMIN_KEY, 200 * running.instances.length);
};

/**
 * The daily limit equals the limit per minute, because on a slow machine, the minute may end before the last request is
 * sent.
 */
export const issueLimited = (running: Instances, limit: number) =>
  running.issueKey({ plan: 'enterprise', limits: { perMinute: limit, perDay: limit } });

/**
 * Overload refusals without a rate limit header were not counted against the limit. All other overload refusals were
 * counted, so this function counts them as admitted.
 */
export const rush = async (running: Instances, limit: number) => {
  const { id, key } = await issueLimited(running, limit);
  const answers = await askAll(running, key, REQUESTS);
  const shows = new RegExp(`\\r\\nx-ratelimit-limit: ${limit}\\r`, 'i');
  const refused = answers.filter((answer) => statusOf(answer) === 429).length;
  const admitted = answers.filter((answer) => statusOf(answer) !== 429 && shows.test(answer.head)).length;
  const shed = REQUESTS - refused - admitted;
  return { id, admitted, expected: Math.min(limit, REQUESTS - shed), refused, shed, words: countWords(answers) };
};

export const bansOf = async ({ url }: Instances, keyId: string, isDue: boolean): Promise<unknown[]> => {
  const find = () => query(url, 'SELECT * FROM bans WHERE subject = $1', [keyId]);
  return isDue ? waitFor('the ban is stored', find, ({ length }) => length > 0) : find();
};
