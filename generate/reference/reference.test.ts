import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { contractsIn } from '../../src/contracts.ts';
import { EVENT_TYPES } from '../../src/kernel/event.ts';
import { FAILURES } from '../../src/kernel/failure.ts';
import { type Service, startService } from '../../test/service.ts';
import { failuresOf } from '../openapi/failures.ts';

let service: Service;
let reference: string;
let errors: string;
beforeAll(async () => {
  service = await startService();
  reference = (await service.get('/docs', { key: null })).text;
  errors = (await service.get('/docs/errors', { key: null })).text;
});
afterAll(() => service.stop());

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);
const idsOf = (text: string): string[] => all(text, / id="([^"]*)"/g);

const partOf = (id: string): string => {
  const start = reference.indexOf(`<section class="part operation" id="${id}"`);
  expect(start).toBeGreaterThan(0);
  return reference.slice(start, reference.indexOf('<section class="part', start + 1));
};

const text = (markup: string): string =>
  markup.replaceAll(/<[^>]*>/g, '').replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code));

const factsIn = (part: string) =>
  Object.fromEntries(
    [...part.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name = '', value = '']) => [name, text(value)]),
  );

describe('the reference page', () => {
  test.each(contractsIn('production').map((contract) => [contract.id, contract] as const))(
    'describes %s: name, path, scope, input, errors and events',
    (id, contract) => {
      const part = partOf(id);
      expect(text(part)).toContain(contract.summary);
      expect(part).toContain(`data-method="${contract.method}" data-path="${contract.path}"`);
      const parameters = all(part, /<li data-name="([^"]*)"/g);
      expect(parameters).toEqual(
        expect.arrayContaining(Object.keys({ ...contract.input.path, ...contract.input.query })),
      );
      for (const name of Object.keys(contract.input.body?.shape ?? {})) expect(part).toContain(`<b>${name}</b>`);
      expect(all(part, /href="docs\/errors#(\w+)"/g).sort()).toEqual([...failuresOf(contract)].sort());
      expect(factsIn(part)).toMatchObject({
        Operation: id,
        Scope: contract.scope === 'any key' ? 'Any key' : contract.scope,
        Cost: contract.meter === 'own' ? 'None' : expect.stringContaining('1 request'),
      });
      const events = all(contract.description, /`([a-z]+\.[a-z_]+)`/g).filter((type) =>
        EVENT_TYPES.includes(type as any),
      );
      const written = /Writes /.test(contract.description) ? [...new Set(events)] : [];
      expect(all(part, /href="#sent-([^"]*)"/g).sort()).toEqual(written.sort());
    },
  );

  test('describes every event type that is sent', () => {
    expect(idsOf(reference)).toEqual(expect.arrayContaining(EVENT_TYPES.map((type) => `sent-${type}`)));
  });

  test('names what changes the cost of an operation, and what makes it safe to retry', () => {
    const shown = (id: string) => {
      const { Cost, 'Safe to retry': retry } = factsIn(partOf(id));
      return [Cost, retry];
    };
    expect(shown('listPets')).toEqual(['1 request', 'Yes']);
    expect(shown('createPetBatch')).toEqual(['1 request per 100 pets', 'With Idempotency-Key']);
    expect(shown('updatePet')).toEqual(['1 request', 'With If-Match']);
    expect(shown('streamEvents')).toEqual(['1 request, and 1 per 1,000 past events', 'Yes']);
    expect(shown('getUsage')).toEqual(['None', 'Yes']);
  });

  test('stays below 60 KiB with its styles and scripts', async () => {
    const paths = all(reference, /(?:src|href)="(docs\/[^"#]+\.(?:js|css))"/g);
    const sizes = await Promise.all(
      ['docs', ...paths].map(async (path) => {
        const headers = { 'Accept-Encoding': 'br' };
        return Number((await service.get(`/${path}`, { key: null, headers })).headers.get('content-length'));
      }),
    );
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60 * 1024);
  });

  test('has unique anchors and no dead links', () => {
    const ids = idsOf(reference);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(all(reference, /href="#([^"]*)"/g).filter((id) => !ids.includes(id))).toEqual([]);
    expect(all(reference, /href="docs\/errors#([^"]*)"/g).filter((id) => !idsOf(errors).includes(id))).toEqual([]);
  });

  test('has the public URL in its samples if one is set, as text and never as markup', async () => {
    const published = await startService({ environment: { PETSTORE_PUBLIC_URL: 'https://api.example.org/<b>pets' } });
    const { text } = await published.get('/docs', { key: null });
    await published.stop();
    expect(text).toContain(' data-base="https://api.example.org/&#60;b&#62;pets"');
  });
});

describe('the errors page', () => {
  test.each(Object.keys(FAILURES))('has an anchor for %s, the target of a problem’s type', (code) => {
    expect(idsOf(errors)).toContain(code);
  });

  test('links to the operations that return each code', () => {
    const named = all(errors, /href="\.\.\/docs#([^"]*)"/g);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((id) => !idsOf(reference).includes(id))).toEqual([]);
  });
});
