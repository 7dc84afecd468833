import { expect } from 'bun:test';
import { Ajv2020 } from 'ajv/dist/2020';
import { dereference } from './dereference.ts';
import type { Told } from './service.ts';

type Json = Record<string, any>;

const pointerTo = (...way: string[]): string =>
  `document#/${way.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

/** Statuses without a described operation: refusals of the router, and preflights. */
const ROUTER_STATUSES = [400, 401, 404, 405, 429];

/** Validates responses against the served document only, as a third party would. */
export const createDescription = (served: Json) => {
  const document = dereference(served);
  // Formats are not checked: JSON.parse has already rounded an int64 by the time the validator sees it.
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', ...document });
  const answers = Object.values<Json>(document.paths)
    .flatMap((item) => Object.values<Json>(item))
    .flatMap(({ responses }) => Object.values<Json>(responses));
  /** Every header of any response. */
  const knownHeaders: Json = Object.assign({}, ...answers.map(({ headers }) => headers));

  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^/v1${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

  const faults = (schema: string | Json, value: unknown): string =>
    ajv.validate(schema, value) ? '' : ajv.errorsText(ajv.errors);

  const expectHeaders = (described: Json, { headers }: Told): void => {
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

  const expectBody = (way: string[], content: Json | undefined, told: Told, isHead: boolean): void => {
    const type = told.headers.get('content-type');
    if (content) expect(Object.keys(content)).toContain(type ?? '');
    else expect(type).toBeNull();
    // Only the content type of a stream is checked: it never ends.
    if (type === 'text/event-stream') return;
    if (isHead || !content) {
      expect(told.text).toBe('');
      return;
    }
    const body = JSON.parse(told.text);
    expect(faults(pointerTo(...way, 'content', type as string, 'schema'), body)).toBe('');
    if (told.status >= 400) expect(body.status).toBe(told.status);
  };

  const expectRouterAnswer = (told: Told, method: string): void => {
    if (method === 'OPTIONS' && told.status === 204) return;
    expect(ROUTER_STATUSES).toContain(told.status);
    if (method !== 'HEAD') expect(faults(pointerTo('components', 'schemas', 'Error'), JSON.parse(told.text))).toBe('');
  };

  return {
    /** Why the value does not match the schema; '' if it does. */
    faultsOf: (schema: string, value: unknown): string => faults(pointerTo('components', 'schemas', schema), value),

    /** Expects the document to describe this response. */
    expectDescribed(method: string, path: string, told: Told): void {
      const template = templates.find(({ pattern }) => pattern.test(path))?.template;
      const verb = (method === 'HEAD' ? 'GET' : method).toLowerCase();
      const operation = template && document.paths[template][verb];
      if (!operation) {
        if (path === '/v1' || path.startsWith('/v1/')) expectRouterAnswer(told, method);
        return;
      }
      const described = operation.responses[told.status];
      expect([operation.operationId, told.status, described]).toEqual([
        operation.operationId,
        told.status,
        expect.any(Object),
      ]);
      expectHeaders(described.headers, told);
      const way = ['paths', template, verb, 'responses', String(told.status)];
      expectBody(way, described.content, told, method === 'HEAD');
    },
  };
};
