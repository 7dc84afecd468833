import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { curlLines, readCurl } from './read-curl.ts';
import { ADMIN_KEY, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('the README', () => {
  test('has examples that work, one after another', async () => {
    const lines = curlLines('README.md');
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      const { method, path, headers, body } = readCurl(line, { API_KEY: ADMIN_KEY });
      const { status, body: answer } = await service.call(method, path, { key: null, headers, body });
      expect({ line, status }).toEqual({ line, status: method === 'GET' ? 200 : 201 });
      expect(Array.isArray(answer) ? answer.length : 1).toBe(1);
    }
  });
});
