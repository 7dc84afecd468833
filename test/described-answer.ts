import { expect } from 'bun:test';
import { Ajv2020 } from 'ajv/dist/2020';
import { dereference } from './dereference.ts';
import type { TestResponse } from './service.ts';

type Json = Record<string, any>;

const pointerTo = (...way: string[]): string =>
  `document#/${way.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

const ROUTER_STATUSES = [400, 401, 404, 405, 429];

export const createDescription = (served: Json) => {
  const document = dereference(served);
  // Format validation is off, because `JSON.parse` rounds large int64 values, and a rounded value may be out of range.
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', ...document });
  const answers = Object.values<Json>(document.paths)
    .flatMap((item) => Object.values<Json>(item))
    .flatMap(({ responses }) => Object.values<Json>(responses));
  const knownHeaders: Json = Object.assign({}, ...answers.map(({ headers }) => headers));

  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^/v1${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

  const faults = (schema: string | Json, value: unknown): string =>
    ajv.validate(schema, value) ? '' : ajv.errorsText(ajv.errors);

  const expectHeaders = (described: Json, { headers }: TestResponse): void => {
    const names = Object.keys(described).map((name) => name.toLowerCase());
    for (const [name, { required = false, schema }] of Object.entries<Json>(knownHeaders)) {
      const value = headers.get(name);
      const isDescribed = names.includes(name.toLowerCase());
      if (value === null) expect([name, isDescribed && required]).toEqual([name, false]);
      else {
        expect([name, isDescribed]).toEqual([name, true]);
        if (schema.type === 'integer') expect([name, value]).toEqual([name, expect.stringMatching(/^\d+$/)]);
        const read = schema.type === 'integer' ? Number(value) : value;
        expect([name, faults(schema, read)]).toEqual([name, '']);
      }
    }
  };

  const expectBody = (way: string[], content: Json | undefined, response: TestResponse, isHead: boolean): void => {
    const type = response.headers.get('content-type');
    if (content) expect(Object.keys(content)).toContain(type ?? '');
    else expect(type).toBeNull();
    if (type === 'text/event-stream') return;
    if (isHead || !content) {
      expect(response.text).toBe('');
      return;
    }
    const body = JSON.parse(response.text);
    expect(faults(pointerTo(...way, 'content', type as string, 'schema'), body)).toBe('');
    if (response.status >= 400) expect(body.status).toBe(response.status);
  };

  const expectRouterAnswer = (response: TestResponse, method: string): void => {
    if (method === 'OPTIONS' && response.status === 204) return;
    expect(ROUTER_STATUSES).toContain(response.status);
    if (method !== 'HEAD')
      expect(faults(pointerTo('components', 'schemas', 'Error'), JSON.parse(response.text))).toBe('');
  };

  return {
    faultsOf: (schema: string, value: unknown): string => faults(pointerTo('components', 'schemas', schema), value),

    expectDescribed(method: string, path: string, response: TestResponse): void {
      const template = templates.find(({ pattern }) => pattern.test(path))?.template;
      const verb = (method === 'HEAD' ? 'GET' : method).toLowerCase();
      const operation = template && document.paths[template][verb];
      if (!operation) {
        if (path === '/v1' || path.startsWith('/v1/')) expectRouterAnswer(response, method);
        return;
      }
      const described = operation.responses[response.status];
      expect([operation.operationId, response.status, described]).toEqual([
        operation.operationId,
        response.status,
        expect.any(Object),
      ]);
      expectHeaders(described.headers, response);
      const way = ['paths', template, verb, 'responses', String(response.status)];
      expectBody(way, described.content, response, method === 'HEAD');
    },
  };
};
