import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { codeLines, readDocument } from './documents.ts';
import { ADMIN_KEY, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** The words of a line of shell without expansions, which is all that the README uses. */
const words = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare ?? '');

/** The request that a line of curl makes, on the service under test and with its key. */
const readCurl = (line: string) => {
  const [, ...given] = words(line.replaceAll('$API_KEY', ADMIN_KEY));
  const headers: Record<string, string> = {};
  const request: { url?: URL; body?: string } = {};
  for (let word = given.shift(); word !== undefined; word = given.shift()) {
    if (word === '-H') {
      const [name = '', value = ''] = (given.shift() ?? '').split(': ');
      headers[name] = value;
    } else if (word === '-d') request.body = given.shift() ?? '';
    else if (word.startsWith('http://127.0.0.1:8080/')) request.url = new URL(word);
    else if (word !== '-i') throw new Error(`this test does not know what ${word} means in: ${line}`);
  }
  return { ...request, headers };
};

describe('the README', () => {
  test('has examples that work, one after another', async () => {
    const lines = codeLines(readDocument('README.md')).filter(
      (line) => line.startsWith('curl ') && !line.includes('…'),
    );
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      const { url, headers, body } = readCurl(line);
      const method = body === undefined ? 'GET' : 'POST';
      const path = `${url?.pathname}${url?.search}`;
      const { status, body: answer } = await service.call(method, path, { key: null, headers, body });
      expect({ line, status }).toEqual({ line, status: method === 'GET' ? 200 : 201 });
      // The examples look for what those before them have added.
      expect(Array.isArray(answer) ? answer.length : 1).toBe(1);
    }
  });
});
