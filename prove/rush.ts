import { ADMIN_KEY } from '../test/admin-key.ts';
import type { Instances } from '../test/instances.ts';
import { query } from '../test/servers/databases.ts';
import { waitFor } from '../test/wait-for.ts';
import { askTogether, countWords, portOf, requestText, statusOf } from './fleet-load.ts';

const REQUESTS = 5000;

const get = (key: string): string => requestText('GET', '/v1/pets?limit=1', { key });

/** Sends so many requests with the key to all instances in one moment. */
export const askAll = ({ instances }: Instances, key: string, count: number) =>
  askTogether(instances.map(portOf), Array(count).fill(get(key)));

/** Instances that have served before: what they do for the first time takes many times as long. */
export const warmUp = async (running: Instances): Promise<void> => {
  await askAll(running, ADMIN_KEY, 200 * running.instances.length);
};

/** The day holds the limit too: a minute may end while a slow machine is still at it. */
export const issueLimited = (running: Instances, limit: number) =>
  running.issueKey({ plan: 'enterprise', limits: { perMinute: limit, perDay: limit } });

/**
 * 5,000 requests at once with a new key, and how many of those that were counted ought to be and were admitted. What a busy
 * machine sheds before it is counted shows no limit; what it sheds after that was admitted all the same.
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

/** The bans of a key in the database; one that is due is waited for. */
export const bansOf = async ({ url }: Instances, keyId: string, isDue: boolean): Promise<unknown[]> => {
  const find = () => query(url, 'SELECT * FROM bans WHERE subject = $1', [keyId]);
  return isDue ? waitFor('the ban is a row', find, ({ length }) => length > 0) : find();
};
