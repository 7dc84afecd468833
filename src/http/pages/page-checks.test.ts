import { beforeEach, describe, expect, test } from 'bun:test';
import { stubService } from '../../../test/http-service.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Caller } from '../../kernel/operation.ts';
import type { Limiter } from '../../limits/limiter.ts';
import { missingPageSubject, pageSubject } from '../../limits/window.ts';
import type { Service } from '../service.ts';
import { handlePage, type Page } from './page-checks.ts';

const ADDRESS = '192.0.2.7';
const CALLER = { keyId: 'key_one' } as Caller;
const PAGE: Page = { show: () => new Response('shown') };
const PRIVATE: Page = { ...PAGE, needsKey: true };

let service: Service;
let steps: string[];
let lookUp: () => Caller;
beforeEach(() => {
  steps = [];
  lookUp = () => CALLER;
  service = stubService({
    authenticate: (_, isThrottled) => {
      steps.push(isThrottled() ? 'look up in turn' : 'look up');
      return lookUp();
    },
    gate: { isOpen: () => steps.push('admission') > 0 } as never,
  });
});

const request = (page: Page | undefined, headers: Record<string, string> = {}) =>
  handlePage(service, page, { request: new Request('http://a/page', { headers }), params: {}, socket: ADDRESS });
const ask = async (page: Page | undefined, authorization?: string) => {
  const response = await request(page, authorization === undefined ? {} : { authorization });
  return response.status < 400 ? response.status : ((await response.json()) as { code: string }).code;
};
const used = async (subject = pageSubject(ADDRESS)) =>
  (await (service.pageLimiter as Limiter).peek(subject)).windows[0]?.used;

describe('a page', () => {
  test('is shown to anyone after admission, and no key is looked up if none is sent', async () => {
    expect(await ask(PAGE)).toBe(200);
    expect([steps, await used()]).toEqual([['admission'], 1]);
  });

  test('has the id of its request, whether the page exists or not', async () => {
    for (const page of [PAGE, undefined]) {
      expect((await request(page)).headers.get('X-Request-Id')).toBe(`req_${'0'.repeat(24)}`);
    }
  });

  test('that is a health check is not counted, and no key is looked up for it', async () => {
    expect(await ask({ ...PAGE, isFree: true }, 'Bearer one')).toBe(200);
    expect([steps, await used(), await used(pageSubject('key_one'))]).toEqual([['admission'], 0, 0]);
  });

  test('that is a health check is logged if it fails or if its status changes, and a change is marked', async () => {
    const lines: [number, boolean][] = [];
    service.log.answered = (_, status, __, isNews) => lines.push([status, isNews]);
    const statuses = [200, 503, 503, 200, 200];
    const health: Page = { show: () => Response.json({ code: 'x' }, { status: statuses.shift() ?? 0 }), isFree: true };
    for (let asked = 0; asked < 5; asked += 1) await ask(health);
    expect(statuses).toEqual([]);
    expect(lines).toEqual([
      [503, true],
      [503, false],
      [200, true],
    ]);
  });

  test('counts against the key if it is valid', async () => {
    expect(await ask(PAGE, 'Bearer one')).toBe(200);
    expect([steps, await used(), await used(pageSubject('key_one'))]).toEqual([['admission', 'look up'], 0, 1]);
  });

  test('that is public is shown even if the key cannot be looked up, and counts against the address', async () => {
    lookUp = () => {
      throw new Failure('unavailable', 'The database is away.');
    };
    expect(await ask(PAGE, 'Bearer one')).toBe(200);
    expect(await used()).toBe(1);
  });

  test('that needs a key is refused if the key cannot be looked up, and is not counted', async () => {
    lookUp = () => {
      throw new Failure('unavailable', 'The database is away.');
    };
    expect(await ask(PRIVATE, 'Bearer one')).toBe('unavailable');
    expect([await used(), await used(missingPageSubject(ADDRESS))]).toEqual([0, 0]);
  });

  test('that needs a key refuses invalid ones; beyond the limit of the address, keys are looked up one at a time', async () => {
    lookUp = () => {
      throw new Failure('invalid_api_key', 'The API key is unknown, expired or revoked.');
    };
    for (let asked = 0; asked < 600; asked += 1) expect(await ask(PRIVATE, 'Bearer x')).toBe('invalid_api_key');
    expect(await ask(PRIVATE, 'Bearer x')).toBe('rate_limit_exceeded');
    expect(steps).not.toContain('look up in turn');
    expect(await ask(PRIVATE, 'Bearer x')).toBe('rate_limit_exceeded');
    expect(steps.at(-1)).toBe('look up in turn');
    lookUp = () => CALLER;
    expect(await ask(PRIVATE, 'Bearer one')).toBe(200);
  });

  test('that is missing has a separate window', async () => {
    const file: Page = { ...PAGE, exists: async () => false };
    expect([await ask(undefined), await ask(file)]).toEqual(['route_not_found', 'route_not_found']);
    expect([await used(), await used(missingPageSubject(ADDRESS))]).toEqual([0, 2]);
  });
});
