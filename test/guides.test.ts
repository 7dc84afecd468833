import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DOCUMENTS } from './documents.ts';
import { curlLines, readCurl } from './read-curl.ts';
import { ADMIN_KEY, type Service, STAGING, startService } from './service.ts';

const GUIDES = DOCUMENTS.filter((path) => path.startsWith('docs/guides/') || path === 'docs/using.md');

const VARIABLES: Record<string, string> = { key: 'KEY_ID', wh: 'WEBHOOK_ID' };

const follow = async (service: Service, lines: readonly string[]): Promise<string[]> => {
  const variables: Record<string, string> = { API_KEY: ADMIN_KEY };
  const wrong: string[] = [];
  for (const line of lines) {
    const { method, path, headers, body, comment } = readCurl(line, variables);
    const answer = await service.call(method, path, { key: null, headers, body });
    const isRight = comment === undefined ? answer.status < 400 : comment === String(answer.status);
    if (!isRight) wrong.push(`${line}: ${answer.text}`);
    const [prefix = ''] = String(answer.body?.id).split('_');
    const variable = VARIABLES[prefix];
    if (variable && method !== 'GET') variables[variable] = answer.body.id;
  }
  return wrong;
};

let production: Service;
let staging: Service;
beforeAll(async () => {
  [production, staging] = await Promise.all([startService(), startService({ environment: STAGING })]);
  for (const name of ['Rex', 'Luna', 'Kiwi']) await production.post('/v1/pets', { name, categoryId: 1 });
});
afterAll(() => Promise.all([production.stop(), staging.stop()]));

describe('a guide', () => {
  test('is one of at least four', () => {
    expect(GUIDES.length).toBeGreaterThan(3);
  });

  test.each(GUIDES)('has curl commands that work when pasted: %s', async (path) => {
    const lines = curlLines(path);
    expect(lines.length).toBeGreaterThan(0);
    expect(await follow(path.endsWith('/staging.md') ? staging : production, lines)).toEqual([]);
  });
});
